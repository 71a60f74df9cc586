package memoryref

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	ellipsis        = "…"
	zeroWidthJoiner = '\u200d'
	// The combining class of signs that join two letters in scripts of India.
	virama = 9
)

// cut ends a line that is too long, between two characters.
func cut(line []rune) string {
	longest := MaxDescription - len([]rune(ellipsis))
	at := longest
	for at > 0 && !isBorder(line, at) {
		at--
	}
	if at == 0 {
		// A single character may have more marks than there is room for.
		at = longest
	}
	return strings.TrimRightFunc(string(line[:at]), isSpace) + ellipsis
}

// isBorder tells whether what a reader takes for one character ends before `at`: the main rules of Unicode's annex 29.
func isBorder(line []rune, at int) bool {
	before, after := line[at-1], line[at]
	if before == zeroWidthJoiner || after == zeroWidthJoiner || combiningClass(before) == virama {
		return false
	}
	if isFlagHalf(after) {
		return flagHalvesBefore(line, at)%2 == 0
	}
	return !extends(after)
}

func combiningClass(r rune) uint8 {
	return norm.NFD.PropertiesString(string(r)).CCC()
}

func isFlagHalf(r rune) bool {
	return 0x1f1e6 <= r && r <= 0x1f1ff
}

func flagHalvesBefore(line []rune, at int) int {
	count := 0
	for count < at && isFlagHalf(line[at-1-count]) {
		count++
	}
	return count
}

// extends tells of a mark, a skin tone, a tag of a flag, the vowel or the end of a Korean syllable in parts.
func extends(r rune) bool {
	return unicode.Is(unicode.M, r) ||
		0x1f3fb <= r && r <= 0x1f3ff ||
		0xe0020 <= r && r <= 0xe007f ||
		0x1160 <= r && r <= 0x11ff ||
		r == 0x200c || r == 0xff9e || r == 0xff9f
}
