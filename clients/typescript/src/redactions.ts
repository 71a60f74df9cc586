import { create } from "@bufbuild/protobuf";
import type { ArtifactRedaction } from "./generated/camillo/v1/artifact_pb.js";
import { type Redaction, RedactionSchema } from "./generated/camillo/v1/memory_pb.js";

/** Is told of each secret that the server took out of a write before it stored it. */
export type OnRedaction = (redaction: Redaction) => void;

/** Tells by a warning of the process; `process.on("warning", ...)` decides what becomes of it. */
export const warnOfRedaction: OnRedaction = ({ field, kind }) => {
  const told = `a secret was taken out of ${field} before it was stored: ${kind}`;
  process.emitWarning(told, "SecretRedacted");
};

/** One for each kind of secret in the bytes of an artifact: there may be a thousand of one. */
export function oncePerKind(redactions: readonly ArtifactRedaction[]): Redaction[] {
  const first = new Map<string, ArtifactRedaction>();
  for (const redaction of redactions) {
    first.set(redaction.kind, first.get(redaction.kind) ?? redaction);
  }
  return [...first.values()].map(({ kind, offset }) =>
    create(RedactionSchema, { field: "the content", kind, offset: Number(offset) }),
  );
}
