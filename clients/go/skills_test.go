package camillo

import (
	"errors"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"

	camillov1 "camillo.dev/camillo/v1"
)

const skillText = "---\nname: tea\ndescription: 泡茶 🍵\n---\nשלום e\u0301\n"

func TestASkillIsPutReadAndRemovedByItsName(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("PutSkill", says(&camillov1.PutSkillResponse{Skill: &camillov1.Skill{Version: 1}}))
	server.script("GetSkill", says(&camillov1.GetSkillResponse{Skill: &camillov1.Skill{Text: skillText}}))
	zero := int64(0)
	how := &camillov1.PutSkillRequest{ExpectedVersion: &zero}
	put, err := client.Skills.Put(t.Context(), skillText, how)
	if err != nil || put.GetSkill().GetVersion() != 1 || how.GetText() != "" {
		t.Fatalf("%v, %v", put, err)
	}
	global := camillov1.SkillLevel_SKILL_LEVEL_GLOBAL
	skill, err := client.Skills.Get(t.Context(), "tea", &camillov1.GetSkillRequest{Level: global})
	if err != nil || skill.GetText() != skillText {
		t.Fatalf("%v, %v", skill, err)
	}
	if err := client.Skills.Delete(t.Context(), "tea", nil); err != nil {
		t.Fatal(err)
	}
	sent := requests[*camillov1.PutSkillRequest](server, "PutSkill")[0]
	if sent.GetText() != skillText || sent.ExpectedVersion == nil || sent.GetAgentId() != "ada" || sent.GetRequestId() == "" {
		t.Errorf("sent was %v", sent)
	}
	if read := requests[*camillov1.GetSkillRequest](server, "GetSkill")[0]; read.GetName() != "tea" || read.GetLevel() != global {
		t.Errorf("sent was %v", read)
	}
	if gone := requests[*camillov1.DeleteSkillRequest](server, "DeleteSkill")[0]; gone.GetName() != "tea" {
		t.Errorf("sent was %v", gone)
	}
}

func TestWhatASkillIsRefusedForIsTyped(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("GetSkill", refuses(failed(codes.NotFound, "SKILL_NOT_FOUND")))
	server.script("PutSkill", refuses(failed(codes.Aborted, "VERSION_CONFLICT")))
	if _, err := client.Skills.Get(t.Context(), "tea", nil); !errors.Is(err, SkillNotFound) || !errors.Is(err, NotFound) {
		t.Errorf("%v", err)
	}
	if _, err := client.Skills.Put(t.Context(), skillText, nil); !errors.Is(err, VersionConflict) {
		t.Errorf("%v", err)
	}
}

func TestSkillsAreListedOverAllPages(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	of := func(name string) []*camillov1.Skill { return []*camillov1.Skill{{Name: name}} }
	server.script("ListSkills", says(&camillov1.ListSkillsResponse{Skills: of("coffee"), NextPageToken: "p2"}),
		says(&camillov1.ListSkillsResponse{Skills: of("tea")}))
	var names []string
	for skill, err := range client.Skills.List(t.Context(), &camillov1.ListSkillsRequest{PageSize: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, skill.GetName())
	}
	sent := requests[*camillov1.ListSkillsRequest](server, "ListSkills")
	if !slices.Equal(names, []string{"coffee", "tea"}) || sent[1].GetPageToken() != "p2" {
		t.Errorf("%v by %v", names, sent)
	}
}
