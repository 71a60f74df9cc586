package camillo

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
)

const rootKeyFile = "root.key"

// findLocalKey takes the key of a server on this machine from this user's data directory, where the caller shows nothing
// else. It must not travel to whatever an address names.
func (t *target) findLocalKey(environment func(string) string) {
	if t.isKeyGiven || t.key != "" || !staysHere(t.address) || (t.tls != nil && len(t.tls.CertificatePEM) > 0) {
		return
	}
	path := filepath.Join(dataDirectory(environment), rootKeyFile)
	content, err := os.ReadFile(path)
	var failure *fs.PathError
	switch key := strings.TrimSpace(string(content)); {
	case errors.Is(err, fs.ErrNotExist):
		t.refusal = "no key was given, and there is none in " + path
	case errors.As(err, &failure):
		t.refusal = fmt.Sprintf("no key was given, and %s cannot be read: %v", path, failure.Err)
	case key == "" || strings.Contains(key, " ") || !isPrintable(key):
		t.refusal = "no key was given, and " + path + " holds none"
	default:
		t.key = key
		t.refusal = fmt.Sprintf("the server at %s does not accept the key in %s", t.address, path)
	}
}

// dataDirectory is where a server that this user starts keeps its data.
func dataDirectory(environment func(string) string) string {
	home := environment("HOME")
	if directory := environment("CAMILLO_DATA_DIR"); directory != "" {
		if rest, isBelowHome := strings.CutPrefix(directory, "~/"); isBelowHome {
			return filepath.Join(home, rest)
		}
		return directory
	}
	if share := environment("XDG_DATA_HOME"); filepath.IsAbs(share) {
		return filepath.Join(share, "camillo")
	}
	return filepath.Join(home, ".local", "share", "camillo")
}

// staysHere tells whether what is sent to an address, in any form that gRPC takes, stays on this machine.
func staysHere(address string) bool {
	if strings.HasPrefix(address, "unix:") || strings.HasPrefix(address, "unix-abstract:") {
		return true
	}
	// gRPC ends the name at some of these, wherever the rest of the address leads.
	if strings.ContainsAny(address, "@%?#") {
		return false
	}
	bare := address[strings.LastIndexByte(address, '/')+1:]
	for _, scheme := range []string{"dns:", "passthrough:"} {
		bare = strings.TrimPrefix(bare, scheme)
	}
	host, _, err := net.SplitHostPort(bare)
	if err != nil {
		// There is no port.
		host = strings.Trim(bare, "[]")
	}
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || (ip != nil && ip.IsLoopback())
}
