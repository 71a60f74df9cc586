package camillo

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	camillov1 "camillo.dev/camillo/v1"
)

// As RecallRequest.spaces allows.
const maxBeside = 7

// Spaces says which spaces a client reads and writes.
type Spaces struct {
	// Read has up to 7 spaces that recalls and bundles read beside the client's own, and [Shared] for what the tenant shares.
	Read []string
	// Write is the client's own. Default: that of the client it is made from.
	Write string
}

// beside has the spaces that reads of a client take in beside its own.
type beside struct {
	paths []string
	// Whether the one that the tenant shares is read, too.
	withShared bool
}

// ForUser is the same client for the memories of one person, whichever agent speaks to them, as [Client.ForSpace] is. An error
// is one of an id that is no single part of a path.
func (c *Client) ForUser(userID string) (*Client, error) {
	if strings.Contains(userID, "/") {
		return nil, errors.New("camillo: the id of a user has no slash")
	}
	return c.ForSpace("users/" + userID)
}

// ForProject is the same client for the memories of one project, such as `shop` or `github.com/acme/shop`, as
// [Client.ForSpace] is.
func (c *Client) ForProject(project string) (*Client, error) {
	return c.ForSpace("projects/" + project)
}

// ForTeam is the same client for the memories of one team, such as `eu/ops`, as [Client.ForSpace] is.
func (c *Client) ForTeam(team string) (*Client, error) {
	return c.ForSpace("teams/" + team)
}

// ForSpace is the same client with another space in place of its own agent's, over the same connection: a path such as
// `users/42`, an agent's id, or [Shared]. It costs no call; both see each other's writes. The key has to reach the space. An
// error is one of a text that names no space.
func (c *Client) ForSpace(space string) (*Client, error) {
	if err := checkSpace(space); err != nil {
		return nil, err
	}
	return newClient(c.shared, space, beside{}), nil
}

// WithSpaces is the same client, whose recalls and bundles read other spaces as one collection with the one that it writes to,
// each at least as fresh as this client's own writes there. A request that names an agent or spaces itself reads what it names. An
// error is one of a text that names no space, or of too many.
func (c *Client) WithSpaces(spaces Spaces) (*Client, error) {
	own := c.agentID
	if spaces.Write != "" {
		own = spaces.Write
		if err := checkSpace(own); err != nil {
			return nil, err
		}
	}
	var read beside
	for _, space := range spaces.Read {
		if err := checkSpace(space); err != nil {
			return nil, err
		}
		switch {
		case space == own || slices.Contains(read.paths, space):
		case space == Shared:
			read.withShared = true
		default:
			read.paths = append(read.paths, space)
		}
	}
	if len(read.paths) > maxBeside {
		return nil, fmt.Errorf("camillo: a client reads up to %d spaces beside its own", maxBeside)
	}
	return newClient(c.shared, own, read), nil
}

// fill names the spaces in a request that can read several and names none.
func (b beside) fill(request proto.Message) {
	read, isRead := request.(spacesReader)
	if !isRead || len(read.GetSpaces()) > 0 {
		return
	}
	spaces := make([]*camillov1.SpaceRead, 0, len(b.paths))
	for _, path := range b.paths {
		spaces = append(spaces, &camillov1.SpaceRead{Space: path})
	}
	setSpaces(read, spaces)
	// Bundles read what the tenant shares in any case.
	if recall, isRecall := request.(*camillov1.RecallRequest); isRecall {
		recall.IncludeShared = recall.IncludeShared || b.withShared
	}
}

// spacesReader is a request that can read several spaces.
type spacesReader interface {
	proto.Message
	GetSpaces() []*camillov1.SpaceRead
}

// setSpaces says which spaces a request reads, in place of those that it named.
func setSpaces(request spacesReader, spaces []*camillov1.SpaceRead) {
	reflected := request.ProtoReflect()
	list := reflected.NewField(reflected.Descriptor().Fields().ByName(spacesField))
	for _, space := range spaces {
		list.List().Append(protoreflect.ValueOfMessage(space.ProtoReflect()))
	}
	reflected.Set(reflected.Descriptor().Fields().ByName(spacesField), list)
}

// spaceForm is the form that the contract has for the name of a space, and how it is put into words.
var spaceForm = sync.OnceValues(func() (*regexp.Regexp, string) {
	form := camillov1.Form_FORM_AGENT.Descriptor().Values().ByNumber(camillov1.Form_FORM_AGENT.Number())
	pattern := proto.GetExtension(form.Options(), camillov1.E_Pattern).(*camillov1.Pattern)
	return regexp.MustCompile(`\A(?:` + pattern.GetRegex() + `)\z`), pattern.GetRule()
})

func checkSpace(space string) error {
	if form, rule := spaceForm(); !form.MatchString(space) {
		return errors.New("camillo: a space is @shared, " + rule)
	}
	return nil
}
