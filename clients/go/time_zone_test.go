package camillo

import (
	"slices"
	"testing"

	camillov1 "camillo.dev/camillo/v1"
)

func TestRecallsAndBundlesNameTheTimeZoneOfTheMachineUnlessAnotherIsNamed(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	for _, zone := range []string{"Australia/Sydney", "Etc/UTC"} {
		t.Setenv("TZ", zone)
		_, _ = client.Recall(t.Context(), "yesterday", nil)
		_, _ = client.Recall(t.Context(), "yesterday", &camillov1.RecallRequest{TimeZone: "Asia/Tokyo"})
		_, _ = client.Context.Bundle(t.Context(), "yesterday", nil)
	}
	var recalls, bundles []string
	for _, request := range requests[*camillov1.RecallRequest](server, "Recall") {
		recalls = append(recalls, request.GetTimeZone())
	}
	for _, request := range requests[*camillov1.BuildBundleRequest](server, "BuildBundle") {
		bundles = append(bundles, request.GetTimeZone())
	}
	if want := []string{"Australia/Sydney", "Asia/Tokyo", "", "Asia/Tokyo"}; !slices.Equal(recalls, want) {
		t.Errorf("recalls named %v", recalls)
	}
	if want := []string{"Australia/Sydney", ""}; !slices.Equal(bundles, want) {
		t.Errorf("bundles named %v", bundles)
	}
}
