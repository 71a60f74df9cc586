package camillo

import (
	"os"
	"regexp"
	"strings"
	"time"
)

var (
	zoneOfDatabase = regexp.MustCompile(`^(?:.*/)?zoneinfo/(?:posix/|right/)?([A-Za-z0-9_+/-]{1,64})$`)
	zoneName       = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){1,2}$`)
	namesOfUTC     = map[string]bool{
		"UTC": true, "Etc/UTC": true, "Etc/UCT": true, "Etc/Universal": true, "Etc/Zulu": true, "Etc/GMT": true, "+00:00": true,
	}
)

// localTimeZone is the machine's time zone, in which a question's days begin and end: its name, or its offset where it has
// no name that is known; empty for UTC, which the server takes where none is named.
func localTimeZone() string {
	name := ""
	if stated := strings.TrimPrefix(os.Getenv("TZ"), ":"); zoneName.MatchString(stated) {
		name = stated
	} else if stated == "" {
		name = zoneOfMachine()
	}
	if name == "" {
		name = time.Now().Format("-07:00")
	}
	if namesOfUTC[name] {
		return ""
	}
	return name
}

func zoneOfMachine() string {
	if target, err := os.Readlink("/etc/localtime"); err == nil {
		if found := zoneOfDatabase.FindStringSubmatch(target); found != nil {
			return found[1]
		}
	}
	named, err := os.ReadFile("/etc/timezone")
	if name := strings.TrimSpace(string(named)); err == nil && zoneName.MatchString(name) {
		return name
	}
	return ""
}
