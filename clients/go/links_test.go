package camillo

import (
	"slices"
	"testing"

	camillov1 "camillo.dev/camillo/v1"
)

const follows = camillov1.LinkType_LINK_TYPE_FOLLOWS

func TestLinksAreStatedAndTakenAway(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("AddLinks", says(&camillov1.AddLinksResponse{Links: []*camillov1.Link{{Type: follows}}}))
	server.script("RemoveLinks", says(&camillov1.RemoveLinksResponse{Removed: 1}))
	link := &camillov1.NewLink{Type: follows, From: MemoryEnd("m1"), To: MemoryEnd("m2")}
	added, err := client.Links.Add(t.Context(), link)
	if err != nil || len(added) != 1 || added[0].GetType() != follows {
		t.Errorf("%v, %v", added, err)
	}
	if removed, err := client.Links.Remove(t.Context(), link); err != nil || removed != 1 {
		t.Errorf("%v, %v", removed, err)
	}
	sent := requests[*camillov1.AddLinksRequest](server, "AddLinks")[0]
	from := sent.GetLinks()[0].GetFrom()
	if sent.GetRequestId() == "" || from.GetId() != "m1" || from.GetSource() != camillov1.Source_SOURCE_MEMORY {
		t.Errorf("sent was %v", sent)
	}
	if again := requests[*camillov1.RemoveLinksRequest](server, "RemoveLinks")[0]; again.GetRequestId() == "" {
		t.Errorf("sent was %v", again)
	}
}

func TestWhatIsRelatedIsListedOverAllPages(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	of := func(text string) []*camillov1.Related { return []*camillov1.Related{{Text: text}} }
	server.script("ListRelated", says(&camillov1.ListRelatedResponse{Related: of("tea"), NextPageToken: "p2"}),
		says(&camillov1.ListRelatedResponse{Related: of("milk")}),
		says(&camillov1.ListRelatedResponse{Related: of("お茶")}))
	var texts []string
	for related, err := range client.Links.Related(t.Context(), MemoryEnd("m1"), follows) {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, related.GetText())
	}
	ticket := camillov1.EntityType_ENTITY_TYPE_TICKET
	for related, err := range client.Links.Mentioning(t.Context(), ticket, "ABC-123") {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, related.GetText())
	}
	sent := requests[*camillov1.ListRelatedRequest](server, "ListRelated")
	if !slices.Equal(texts, []string{"tea", "milk", "お茶"}) || sent[1].GetPageToken() != "p2" {
		t.Errorf("%v by %v", texts, sent)
	}
	if sent[1].GetItem().GetId() != "m1" || !slices.Equal(sent[1].GetTypes(), []camillov1.LinkType{follows}) {
		t.Errorf("asked was %v", sent[1])
	}
	if entity := sent[2].GetEntity(); entity.GetType() != ticket || entity.GetName() != "ABC-123" {
		t.Errorf("asked was %v", sent[2])
	}
}
