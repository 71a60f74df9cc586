// Package memoryref reads and writes memory refs: what stands for an artifact in a text,
// `[MemoryRef: <artifact id> - <description>]`.
package memoryref

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxDescription is how many characters a rendered description has at most.
const MaxDescription = 200

// ErrNoArtifactID is the failure to render a ref of what is no artifact id.
var ErrNoArtifactID = errors.New("no artifact id")

const id = `[a-z0-9][a-z0-9_]{2,63}`

var (
	onlyID = regexp.MustCompile(`^` + id + `$`)
	// No bracket and no line's end in the description: where a ref ends is never in doubt.
	anyRef   = regexp.MustCompile(`\[MemoryRef: (` + id + `)(?: - ([^\[\]\x00-\x1f\x7f-\x{9f}\x{2028}\x{2029}]+))?\]`)
	brackets = strings.NewReplacer("[", "(", "]", ")")
)

// A Ref is the id of an artifact and what is said about it.
type Ref struct {
	ArtifactID  string
	Description string
}

// Render is the ref of an artifact, its description made safe; [ErrNoArtifactID] for what is no artifact id.
func Render(artifactID, description string) (string, error) {
	if !onlyID.MatchString(artifactID) {
		return "", fmt.Errorf("%q: %w", artifactID, ErrNoArtifactID)
	}
	safe := safe(description)
	if safe == "" {
		return "[MemoryRef: " + artifactID + "]", nil
	}
	return "[MemoryRef: " + artifactID + " - " + safe + "]", nil
}

// Parse is the ref that the text is, space around it aside; false for any other text.
func Parse(text string) (Ref, bool) {
	text = strings.TrimFunc(text, isSpace)
	match := anyRef.FindStringSubmatch(text)
	if match == nil || match[0] != text {
		return Ref{}, false
	}
	return refOf(match)
}

// FindAll is the refs in a text, in their order.
func FindAll(text string) []Ref {
	var found []Ref
	for _, match := range anyRef.FindAllStringSubmatch(text, -1) {
		// A text that is none has no bracket inside, and therefore no other ref.
		if ref, ok := refOf(match); ok {
			found = append(found, ref)
		}
	}
	return found
}

// ArtifactID is the id in a text that is a whole ref; any other text as it is, such as an id.
func ArtifactID(text string) string {
	if ref, ok := Parse(text); ok {
		return ref.ArtifactID
	}
	return text
}

// refOf is false where space stands at an end of the description.
func refOf(match []string) (Ref, bool) {
	ref := Ref{match[1], match[2]}
	return ref, strings.TrimFunc(ref.Description, isSpace) == ref.Description
}

// safe is one line without brackets, of at most MaxDescription characters.
func safe(description string) string {
	whole := strings.ToValidUTF8(description, string(utf8.RuneError))
	words := strings.FieldsFunc(brackets.Replace(strings.Map(harmless, whole)), isSpace)
	line := []rune(strings.Join(words, " "))
	if len(line) > MaxDescription {
		return cut(line)
	}
	return string(line)
}

// harmless is a space for a control, and nothing for what could turn around the text behind it.
func harmless(r rune) rune {
	switch {
	case unicode.IsControl(r), r == 0x2028, r == 0x2029:
		return ' '
	case r == 0x061c, r == 0x200e, r == 0x200f, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
		return -1
	}
	return r
}

func isSpace(r rune) bool {
	// Separators of files, groups, records and units.
	return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f
}
