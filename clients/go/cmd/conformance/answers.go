package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"camillo.dev/camillo"
)

// answer is what came of a command: one of both.
type answer struct {
	ID    json.RawMessage `json:"id"`
	OK    *any            `json:"ok,omitempty"`
	Error *failure        `json:"error,omitempty"`
}

type failure struct {
	Code              string            `json:"code"`
	Reason            string            `json:"reason"`
	Type              string            `json:"type"`
	Message           string            `json:"message"`
	Metadata          map[string]string `json:"metadata"`
	Fields            []string          `json:"fields"`
	RetryAfterSeconds *float64          `json:"retry_after_seconds"`
	RequestID         string            `json:"request_id"`
}

var errUnknownCommand = errors.New("unknown command")

// failureOf is of a call, or of the command itself.
func failureOf(err error) *failure {
	told := &failure{
		Code: "RUNNER", Type: fmt.Sprintf("%T", err), Message: err.Error(),
		Metadata: map[string]string{}, Fields: []string{},
	}
	if errors.Is(err, errUnknownCommand) {
		told.Code = "UNKNOWN_COMMAND"
	}
	var of *camillo.Error
	if errors.As(err, &of) {
		told.tell(of)
	}
	return told
}

func (f *failure) tell(of *camillo.Error) {
	f.Code, f.Reason, f.Type = camillo.CodeName(of.Code), of.Reason, of.Kind().Error()
	f.Message, f.RequestID = of.Message, of.RequestID
	if of.Metadata != nil {
		f.Metadata = of.Metadata
	}
	for _, violation := range of.FieldViolations {
		f.Fields = append(f.Fields, violation.Field)
	}
	if wait, told := of.RetryAfter(); told {
		seconds := wait.Seconds()
		f.RetryAfterSeconds = &seconds
	}
}

// inJSON is a message as proto3 JSON.
func inJSON(message proto.Message) (any, error) {
	text, err := protojson.Marshal(message)
	return json.RawMessage(text), err
}
