// Reads histories of calls as JSON lines from standard input, one line for each call, and says which of them are not linearizable.
//
// Each history is of one key: a slot, which is a register with the number of its version, or a memory, which is there or not. The
// checker is porcupine (https://github.com/anishathalye/porcupine).
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

const timeout = 30 * time.Second

// A call, and how it ended. Without a return nobody knows whether, or when, it took effect.
type call struct {
	History string `json:"history"`
	Client  int    `json:"client"`
	Op      string `json:"op"`
	Value   string `json:"value"`
	// The version that a conditional write demands; nil for an unconditional one.
	IfVersion *int64 `json:"if_version"`
	Call      int64  `json:"call"`
	Return    *int64 `json:"return"`
	// "ok", "conflict" or "absent".
	Outcome string `json:"outcome"`
	Version int64  `json:"version"`
	Read    string `json:"read"`
}

// The newest version of a slot, or of a memory 1 once it is there.
type state struct {
	version int64
	value   string
}

var model = porcupine.Model{
	Init: func() interface{} { return state{} },
	Step: func(before, input, output interface{}) (bool, interface{}) {
		return step(before.(state), input.(call))
	},
}

func step(before state, made call) (bool, state) {
	known := made.Return != nil
	switch made.Op {
	case "read":
		if !known {
			return true, before
		}
		if made.Outcome == "absent" {
			return before.version == 0, before
		}
		return before.version == made.Version && before.value == made.Read, before
	case "write":
		if made.IfVersion != nil && *made.IfVersion != before.version {
			return !known || made.Outcome == "conflict", before
		}
		after := state{before.version + 1, made.Value}
		return !known || made.Outcome == "ok" && made.Version == after.version, after
	}
	panic(fmt.Sprintf("no operation %q", made.Op))
}

func operations(calls []call) []porcupine.Operation {
	found := make([]porcupine.Operation, 0, len(calls))
	for _, each := range calls {
		until := int64(math.MaxInt64)
		if each.Return != nil {
			until = *each.Return
		}
		found = append(found, porcupine.Operation{ClientId: each.Client, Input: each, Call: each.Call, Output: each, Return: until})
	}
	return found
}

func read(input *os.File) (map[string][]call, error) {
	histories := map[string][]call{}
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var made call
		if err := json.Unmarshal(lines.Bytes(), &made); err != nil {
			return nil, err
		}
		histories[made.History] = append(histories[made.History], made)
	}
	return histories, lines.Err()
}

func main() {
	histories, err := read(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	verdict := struct {
		Checked    int      `json:"checked"`
		Violations []string `json:"violations"`
		Undecided  []string `json:"undecided"`
	}{Checked: len(histories), Violations: []string{}, Undecided: []string{}}
	for name, calls := range histories {
		switch porcupine.CheckOperationsTimeout(model, operations(calls), timeout) {
		case porcupine.Illegal:
			verdict.Violations = append(verdict.Violations, name)
		case porcupine.Unknown:
			verdict.Undecided = append(verdict.Undecided, name)
		}
	}
	sort.Strings(verdict.Violations)
	sort.Strings(verdict.Undecided)
	if err := json.NewEncoder(os.Stdout).Encode(verdict); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
