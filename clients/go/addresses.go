package camillo

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"google.golang.org/grpc/resolver"
)

const (
	defaultHost = "localhost"
	defaultPort = "7070"
	maxPort     = 65535
)

var (
	schemeOfURL = regexp.MustCompile(`(?i)^([a-z][a-z0-9+.-]*):/+`)
	// Names that gRPC resolves itself in other languages, or where their package is imported.
	resolvedByGRPC = []string{"ipv4", "ipv6", "vsock", "xds"}
)

// checkAddress refuses what gRPC would look up in vain, or connect to somewhere else, and says what was probably meant.
// The cases that the clients of all languages share are in addresses.json.
func checkAddress(address string) error {
	name, _, _ := strings.Cut(strings.ToLower(address), ":")
	if resolver.Get(name) != nil || slices.Contains(resolvedByGRPC, name) {
		return nil
	}
	if problem, use := wrongAddress(address); problem != "" {
		return fmt.Errorf("camillo: %s: use %s", problem, use)
	}
	return nil
}

// wrongAddress is what is wrong with an address and what to use instead; empty for a host and a port.
func wrongAddress(address string) (problem, use string) {
	scheme := schemeOfURL.FindStringSubmatch(address)
	bare := strings.TrimLeft(address, "/")
	if scheme != nil {
		bare = address[len(scheme[0]):]
	}
	if end := strings.IndexAny(bare, "/?#"); end >= 0 {
		bare = bare[:end]
	}
	authority := bare[strings.LastIndexByte(bare, '@')+1:]
	host, port := hostAndPort(authority)
	const without = "an address is a host and a port without "
	switch use = proposed(host, port); {
	case scheme != nil:
		if name := strings.ToLower(scheme[1]); name == "https" || name == "grpcs" {
			use += " with TLS"
		}
		return without + scheme[1] + "://", use
	case bare != address:
		return without + "a path", use
	case bare != authority:
		return without + "a user", use
	case !isHost(host):
		use = proposed("", "")
	}
	return problemOfParts(address, host, port), use
}

func problemOfParts(address, host, port string) string {
	switch {
	case address == "":
		return "the address is blank"
	case host == "":
		return "the address " + address + " has no host"
	case !isHost(host):
		return "the host of " + address + " is no name"
	case port == "":
		return "the address " + address + " has no port"
	case !isPort(port):
		return fmt.Sprintf("the port of %s is no number from 1 to %d", address, maxPort)
	}
	return ""
}

// hostAndPort are the parts as they are written, an IPv6 address in brackets; empty where there is none.
func hostAndPort(authority string) (host, port string) {
	switch {
	case isIPv6(authority):
		return "[" + authority + "]", ""
	case strings.HasPrefix(authority, "["):
		host, port, _ = strings.Cut(authority, "]")
		return host + "]", strings.TrimPrefix(port, ":")
	case isPort(authority):
		return "", authority
	}
	host, port, _ = strings.Cut(authority, ":")
	return host, port
}

func proposed(host, port string) string {
	if host == "" {
		host = defaultHost
	}
	if !isPort(port) {
		port = defaultPort
	}
	return host + ":" + port
}

func isHost(text string) bool {
	if bracketed, ok := strings.CutPrefix(text, "["); ok {
		return isIPv6(strings.TrimSuffix(bracketed, "]"))
	}
	return !strings.ContainsAny(text, "\"'<>()[]{}\\|^`,;%@") && strings.IndexFunc(text, unicode.IsSpace) < 0
}

func isIPv6(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Is6()
}

func isPort(text string) bool {
	number, err := strconv.ParseUint(text, 10, 16)
	return err == nil && number > 0
}
