package camillo

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// ownWriteStep is one line of a case that all clients share.
type ownWriteStep struct {
	Do         string `json:"do"`
	Ticket     string `json:"ticket"`
	AgentID    string `json:"agent_id"`
	Revision   string `json:"revision"`
	Repeatable bool   `json:"repeatable"`
	Expected   any    `json:"expected"`
}

func TestOwnWritesAreDemandedAsEveryClientDoes(t *testing.T) {
	text, err := os.ReadFile("../own_writes.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Name  string         `json:"name"`
			Steps []ownWriteStep `json:"steps"`
		} `json:"cases"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, told := range file.Cases {
		t.Run(told.Name, func(t *testing.T) {
			playOwnWrites(t, told.Steps)
		})
	}
}

func playOwnWrites(t *testing.T, steps []ownWriteStep) {
	written, tickets := newWrittenRevisions(), map[string]ticket{}
	for number, step := range steps {
		switch step.Do {
		case "begin":
			tickets[step.Ticket] = written.begin(step.AgentID)
		case "wrote":
			written.wrote(tickets[step.Ticket], step.Revision, step.Repeatable)
		case "read":
			written.read(tickets[step.Ticket], step.Revision)
		case "drop":
			written.drop(tickets[step.Ticket])
		case "demand":
			if got := demanded(written, tickets[step.Ticket]); !reflect.DeepEqual(got, step.Expected) {
				t.Errorf("step %d demands %v, not %v", number, got, step.Expected)
			}
		default:
			t.Errorf("step %d is unknown: %s", number, step.Do)
		}
	}
}

// demanded is a demand as the cases write it.
func demanded(written *writtenRevisions, of ticket) any {
	wanted, any := written.demand(of)
	switch {
	case !any:
		return nil
	case wanted.fullyConsistent:
		return "fully_consistent"
	}
	return map[string]interface{}{"at_least_as_fresh": wanted.atLeast}
}

func TestAgentsThatAreOnlyReadAreNotKept(t *testing.T) {
	written := newWrittenRevisions()
	read := written.begin("reader")
	written.demand(read)
	written.read(read, "r1")
	written.drop(read)
	if len(written.scopes) != 0 {
		t.Errorf("kept is %v", written.scopes)
	}
}

func write(written *writtenRevisions, agentID, revision string) {
	written.wrote(written.begin(agentID), revision, false)
}

func demandOf(written *writtenRevisions, agentID string) any {
	return demanded(written, written.begin(agentID))
}

func writtenOf(limit int) *writtenRevisions {
	written := newWrittenRevisions()
	written.limit = limit
	return written
}

func atLeast(revision string) any {
	return map[string]any{"at_least_as_fresh": revision}
}

func TestOfManyAgentsThoseCalledLastAreHeld(t *testing.T) {
	written := writtenOf(2)
	write(written, "a", "r1")
	write(written, "b", "r2")
	demandOf(written, "a")
	write(written, "c", "r3")
	for agentID, expected := range map[string]any{"a": atLeast("r1"), "c": atLeast("r3"), "b": "fully_consistent"} {
		if got := demandOf(written, agentID); !reflect.DeepEqual(got, expected) {
			t.Errorf("%s demands %v", agentID, got)
		}
	}
	if len(written.scopes) != 2 || written.recent.Len() != 2 {
		t.Errorf("held are %v", written.scopes)
	}
}

func TestWhatIsNotHeldAnyMoreIsStillRead(t *testing.T) {
	written := writtenOf(1)
	write(written, "a", "r1")
	write(written, "b", "r2")
	written.read(written.begin("a"), "r3")
	if got := demandOf(written, "a"); !reflect.DeepEqual(got, atLeast("r3")) {
		t.Errorf("demanded is %v", got)
	}
}

func TestAWriteThatBeganBeforeItsAgentWasLetGoIsNotTakenForTheNewest(t *testing.T) {
	written := writtenOf(1)
	slow := written.begin("a")
	write(written, "a", "r2")
	write(written, "b", "r3")
	written.wrote(slow, "r1", false)
	if got := demandOf(written, "a"); got != "fully_consistent" {
		t.Errorf("demanded is %v", got)
	}
}
