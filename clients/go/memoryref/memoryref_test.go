package memoryref

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// refCases are those that all clients share.
type refCases struct {
	Render []struct {
		ArtifactID        string `json:"artifact_id"`
		Description       string `json:"description"`
		Rendered          string `json:"rendered"`
		ParsedDescription string `json:"parsed_description"`
	} `json:"render"`
	Parse []struct {
		Text string  `json:"text"`
		Ref  *refDTO `json:"ref"`
	} `json:"parse"`
	Find []struct {
		Text string   `json:"text"`
		Refs []refDTO `json:"refs"`
	} `json:"find"`
}

type refDTO struct {
	ArtifactID  string `json:"artifact_id"`
	Description string `json:"description"`
}

func cases(t *testing.T) refCases {
	t.Helper()
	text, err := os.ReadFile("../../memory_refs.json")
	if err != nil {
		t.Fatal(err)
	}
	var read refCases
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestRefsAreRenderedAndParsedAsEveryClientDoes(t *testing.T) {
	for _, told := range cases(t).Render {
		rendered, err := Render(told.ArtifactID, told.Description)
		if err != nil || rendered != told.Rendered {
			t.Errorf("%q became %q, not %q", told.Description, rendered, told.Rendered)
		}
		if ref, ok := Parse(rendered); !ok || ref != (Ref{told.ArtifactID, told.ParsedDescription}) {
			t.Errorf("%q is %v", rendered, ref)
		}
	}
}

func TestTextsAreRefsOrNot(t *testing.T) {
	for _, told := range cases(t).Parse {
		ref, ok := Parse(told.Text)
		if ok != (told.Ref != nil) || ok && ref != Ref(*told.Ref) {
			t.Errorf("%q is %v, %v", told.Text, ref, ok)
		}
		if got := ArtifactID(told.Text); ok && got != ref.ArtifactID || !ok && got != told.Text {
			t.Errorf("the id in %q is %q", told.Text, got)
		}
	}
}

func TestRefsAreFoundInTheirOrder(t *testing.T) {
	for _, told := range cases(t).Find {
		var wanted []Ref
		for _, ref := range told.Refs {
			wanted = append(wanted, Ref(ref))
		}
		if got := FindAll(told.Text); !reflect.DeepEqual(got, wanted) {
			t.Errorf("in %q are %v", told.Text, got)
		}
	}
}

func TestACutNeverSplitsWhatReadsAsOneCharacter(t *testing.T) {
	for _, character := range []string{"👩‍👩‍👧‍👦", "🇸🇮", "👍🏽", "e\u0301\u0323", "क्ष", "각", "🏴\U000e0067\U000e007f"} {
		length := utf8.RuneCountInString(character)
		for filled := MaxDescription - length; filled < MaxDescription; filled++ {
			rendered, _ := Render("abc", strings.Repeat("x", filled)+strings.Repeat(character, 9))
			ref, ok := Parse(rendered)
			kept := strings.TrimLeft(strings.TrimSuffix(ref.Description, ellipsis), "x")
			if !ok || kept != strings.Repeat(character, utf8.RuneCountInString(kept)/length) {
				t.Errorf("%q is cut to %q", character, kept)
			}
		}
	}
}

func TestWhatIsNoIDIsNotRendered(t *testing.T) {
	for _, id := range []string{"", "ab", "Abc", "abc\n", "_abc", "a b c", strings.Repeat("a", 65), "äbc"} {
		if rendered, err := Render(id, "tea"); !errors.Is(err, ErrNoArtifactID) {
			t.Errorf("%q was rendered: %q", id, rendered)
		}
	}
}

func FuzzARefIsOneRefWhateverTheDescription(f *testing.F) {
	for _, description := range []string{"", "tea", "[MemoryRef: abc]", "\u202e \x85 \xff", strings.Repeat("👍🏽茶", 99)} {
		f.Add(description)
	}
	f.Fuzz(func(t *testing.T, description string) {
		rendered, err := Render("abc_1", description)
		if err != nil {
			t.Fatal(err)
		}
		ref, ok := Parse(rendered)
		if !ok || utf8.RuneCountInString(ref.Description) > MaxDescription {
			t.Fatalf("%q became %q", description, rendered)
		}
		if again, _ := Render("abc_1", ref.Description); again != rendered {
			t.Fatalf("%q became %q", rendered, again)
		}
		if found := FindAll("before [ " + rendered + "] after " + rendered); !reflect.DeepEqual(found, []Ref{ref, ref}) {
			t.Fatalf("found were %v", found)
		}
	})
}
