// Command conformance carries out commands, one JSON object per line of its input, and answers each with one line.
//
// It only interprets: which calls are made and what has to come of them is said by whoever drives it.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run ends with the input. A command that fails is answered, and ends nothing.
func run(input io.Reader, output io.Writer) error {
	runner := newRunner()
	defer runner.closeAll()
	lines := bufio.NewReader(input)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := write(output, runner.answer(line)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func write(output io.Writer, answer answer) error {
	line, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	_, err = output.Write(append(line, '\n'))
	return err
}
