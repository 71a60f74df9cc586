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
