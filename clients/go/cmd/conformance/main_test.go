package main

import (
	"bytes"
	"encoding/json"
	"net"
	"strings"
	"testing"

	"google.golang.org/grpc"

	camillov1 "camillo.dev/camillo/v1"
)

type admin struct {
	camillov1.UnimplementedAdminServiceServer
}

func newServer(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	camillov1.RegisterAdminServiceServer(server, admin{})
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

// answers is what comes of some lines.
func answers(t *testing.T, lines ...string) []map[string]any {
	t.Helper()
	var output bytes.Buffer
	if err := run(strings.NewReader(strings.Join(lines, "\n")), &output); err != nil {
		t.Fatal(err)
	}
	var told []map[string]any
	for line := range strings.Lines(output.String()) {
		var answer map[string]any
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatal(err)
		}
		told = append(told, answer)
	}
	return told
}

func failureIn(answer map[string]any) map[string]any {
	failure, _ := answer["error"].(map[string]any)
	return failure
}

func TestEachCommandIsAnsweredInOrder(t *testing.T) {
	told := answers(t,
		`{"id":1,"do":"connect","client":"a","address":"`+newServer(t)+`","key":"k1"}`,
		`{"id":2,"do":"call","client":"a","method":"camillo.v1.AdminService/WhoAmI","request":{}}`,
		`{"id":3,"do":"close","client":"a"}`,
		`{"id":4,"do":"render_ref","artifact_id":"abc_1","description":"tea"}`,
		`{"id":5,"do":"parse_refs","text":"see [MemoryRef: abc_1 - tea]"}`,
		`{"id":6,"do":"parse_refs","text":""}`,
	)
	for place, answer := range told {
		if answer["id"] != float64(place+1) {
			t.Errorf("answer %d is %v", place, answer)
		}
	}
	if failure := failureIn(told[1]); failure["type"] != "MethodUnknown" || failure["code"] != "UNIMPLEMENTED" {
		t.Errorf("%v", failure)
	}
	if told[3]["ok"] != "[MemoryRef: abc_1 - tea]" || len(told[4]["ok"].([]any)) != 1 || len(told[5]["ok"].([]any)) != 0 {
		t.Errorf("%v", told)
	}
}

func TestAFailedCommandEndsNothing(t *testing.T) {
	told := answers(t,
		`{"id":1,"do":"dance"}`, `{"id":2,"do":"call","client":"nobody"}`, `no JSON`,
		`{"id":4,"do":"parse_refs","text":""}`,
	)
	if failureIn(told[0])["code"] != "UNKNOWN_COMMAND" || failureIn(told[1])["code"] != "RUNNER" {
		t.Errorf("%v", told)
	}
	if len(told) != 4 || told[3]["error"] != nil {
		t.Errorf("%v", told)
	}
}
