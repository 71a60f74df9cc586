{{/* Names begin with that of the release. */}}
{{- define "camillo.name" -}}
{{- if contains "camillo" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-camillo" (.Release.Name | trunc 40 | trimSuffix "-") }}{{ end -}}
{{- end }}

{{/* By these a part of the release is found: (list $ "server"). */}}
{{- define "camillo.selector" -}}
app.kubernetes.io/name: camillo
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "camillo.labels" -}}
{{ include "camillo.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end }}

{{- define "camillo.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The settings, with those that the chart itself relies on. */}}
{{- define "camillo.settings" -}}
{{- $own := dict
  "CAMILLO_DATA_DIR" "/var/lib/camillo"
  "CAMILLO_SERVER_HOST" "0.0.0.0"
  "CAMILLO_SERVER_PORT" "7070"
  "CAMILLO_SERVER_HTTP_PORT" "0"
  "CAMILLO_DATABASE_MIGRATE_AT_START" "false"
  "CAMILLO_TELEMETRY_PROMETHEUS_HOST" "0.0.0.0"
  "CAMILLO_TELEMETRY_PROMETHEUS_PORT" "9464" -}}
{{- toYaml (merge $own .Values.settings) }}
{{- end }}

{{- define "camillo.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "camillo.spread" -}}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "camillo.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}

{{- define "camillo.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{/* A variable from the Secret: (list $ "CAMILLO_DATABASE_URL" "database-url"). */}}
{{- define "camillo.secret" -}}
- name: {{ index . 1 }}
  valueFrom:
    secretKeyRef: {name: {{ (index . 0).Values.existingSecret }}, key: {{ index . 2 }}}
{{- end }}
