package camillo

import (
	"context"
	"iter"

	camillov1 "camillo.dev/camillo/v1"
)

// Skills are instructions that an agent loads by name, a SKILL.md each. Everything else about a call is in its request
// `how`, which may be nil: a level, a version.
type Skills struct {
	client *Client
}

func (s *Skills) service() camillov1.KnowledgeServiceClient {
	return camillov1.NewKnowledgeServiceClient(s.client)
}

// Put stores a skill, or its next version; the same text stores nothing. A secret in it is refused; [VersionConflict] where
// the skill is not at the expected version of `how`.
func (s *Skills) Put(
	ctx context.Context, text string, how *camillov1.PutSkillRequest,
) (*camillov1.PutSkillResponse, error) {
	request := filledCopy(how)
	request.Text = text
	return s.service().PutSkill(ctx, request)
}

// Get is a skill by its name, with its text: the agent's own, else the tenant's, else the global one; [SkillNotFound] if
// there is none.
func (s *Skills) Get(
	ctx context.Context, name string, how *camillov1.GetSkillRequest,
) (*camillov1.Skill, error) {
	request := filledCopy(how)
	request.Name = name
	answer, err := s.service().GetSkill(ctx, request)
	return answer.GetSkill(), err
}

// List is what skills there are for the agent, without their texts, by name: each name once, or all of a level.
func (s *Skills) List(
	ctx context.Context, how *camillov1.ListSkillsRequest,
) iter.Seq2[*camillov1.Skill, error] {
	pages := Pages(ctx, s.service().ListSkills, filledCopy(how))
	return items(pages, (*camillov1.ListSkillsResponse).GetSkills)
}

// Delete removes a skill of one level, by default the agent's own, with its versions.
func (s *Skills) Delete(ctx context.Context, name string, how *camillov1.DeleteSkillRequest) error {
	request := filledCopy(how)
	request.Name = name
	_, err := s.service().DeleteSkill(ctx, request)
	return err
}
