package camillo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

func variables(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func keyDirectory(t *testing.T, key string) string {
	t.Helper()
	directory := t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, rootKeyFile), []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	return directory
}

func TestTheKeyOfAServerOnThisMachineIsFoundAndSentNowhereElse(t *testing.T) {
	of := variables(map[string]string{"CAMILLO_DATA_DIR": keyDirectory(t, "cam_local\n")})
	cases := map[string]string{
		"localhost:7070": "cam_local", "127.1.2.3:1": "cam_local", "[::1]:7070": "cam_local", "dns:///localhost:1": "cam_local",
		"unix:/run/camillo.sock": "cam_local", "example.org:7070": "", "10.0.0.1:1": "", "[2001:db8::1]:7070": "",
		"localhost.example.org:1": "", "127.evil.example:7070": "", "dns:///example.org#/localhost": "", "dns:///example.org?/localhost": "",
	}
	for address, key := range cases {
		if got := newTarget(of, []Option{WithAddress(address)}).key; got != key {
			t.Errorf("%s: %q", address, got)
		}
	}
	proven := TLS{CertificatePEM: []byte("pem"), PrivateKeyPEM: []byte("pem")}
	for _, option := range []Option{WithKey(""), WithTLS(proven)} {
		if got := newTarget(of, []Option{option}).key; got != "" {
			t.Errorf("%q beside what the caller shows", got)
		}
	}
}

func TestTheDataDirectoryIsThatOfTheUser(t *testing.T) {
	cases := []struct {
		environment map[string]string
		directory   string
	}{
		{map[string]string{"HOME": "/home/ada"}, "/home/ada/.local/share/camillo"},
		{map[string]string{"HOME": "/home/ada", "XDG_DATA_HOME": "relative"}, "/home/ada/.local/share/camillo"},
		{map[string]string{"HOME": "/home/ada", "XDG_DATA_HOME": "/srv"}, "/srv/camillo"},
		{map[string]string{"HOME": "/home/ada", "CAMILLO_DATA_DIR": "/srv/mine"}, "/srv/mine"},
		{map[string]string{"HOME": "/home/ada", "CAMILLO_DATA_DIR": "~/mine"}, "/home/ada/mine"},
	}
	for _, each := range cases {
		if got := dataDirectory(variables(each.environment)); got != each.directory {
			t.Errorf("%v: %s", each.environment, got)
		}
	}
}

func TestAKeyThatIsWrongOrMissingIsToldWithItsFile(t *testing.T) {
	server := newServer(t)
	t.Setenv("CAMILLO_KEY", "")
	server.script("Recall", func(grpc.ServerStream, proto.Message) error {
		return status.Error(codes.Unauthenticated, "no")
	})
	none := "no key was given, and "
	cases := []struct{ directory, before, after string }{
		{keyDirectory(t, "cam_local"), "the server at " + server.address + " does not accept the key in ", ""},
		{t.TempDir(), none + "there is none in ", ""},
		{keyDirectory(t, "\n"), none, " holds none"},
		{keyDirectory(t, "cam local"), none, " holds none"},
	}
	for _, each := range cases {
		t.Setenv("CAMILLO_DATA_DIR", each.directory)
		client, err := Connect(WithAddress(server.address))
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Recall(context.Background(), "tea", nil)
		_ = client.Close()
		told := each.before + filepath.Join(each.directory, rootKeyFile) + each.after
		if !errors.Is(err, CredentialInvalid) || !strings.HasSuffix(err.Error(), told) {
			t.Errorf("%v, not %s", err, told)
		}
	}
}

func TestCallsNameTheAgentForRequestsWithoutOne(t *testing.T) {
	cases := map[string]string{"": DefaultAgent, " planner\n": "planner", Shared: Shared}
	for given, agent := range cases {
		of := variables(map[string]string{"CAMILLO_AGENT": given})
		if got := newTarget(of, nil).defaultAgent; got != agent {
			t.Errorf("%q: %q", given, got)
		}
	}
}
