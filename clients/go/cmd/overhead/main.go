// Command overhead recalls by a bare stub and by the client, in turn: it reads an order in JSON from a line and answers
// with one line of how long each call took. `python -m bench.clients` asks.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	camillov1 "camillo.dev/camillo/v1"
)

// order is what to measure.
type order struct {
	ID           int      `json:"id"`
	Address      string   `json:"address"`
	Key          string   `json:"key"`
	AgentID      string   `json:"agent_id"`
	Queries      []string `json:"queries"`
	Limit        int32    `json:"limit"`
	WarmUpBlocks int      `json:"warm_up_blocks"`
	Blocks       int      `json:"blocks"`
}

// taken is what one contender has done.
type taken struct {
	Nanoseconds []int64 `json:"ns"`
	Hits        int     `json:"hits"`
}

type outcome struct {
	Bare   taken `json:"bare"`
	Facade taken `json:"facade"`
}

type recall func(ctx context.Context, query string) (*camillov1.RecallResponse, error)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var asked order
	line, err := bufio.NewReader(os.Stdin).ReadBytes('\n')
	if err != nil {
		return err
	}
	if err := json.Unmarshal(line, &asked); err != nil {
		return err
	}
	result, err := measure(asked)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"id": asked.ID, "ok": result})
}

func measure(asked order) (*outcome, error) {
	bare, closeBare, err := asked.bare()
	if err != nil {
		return nil, err
	}
	defer closeBare()
	facade, closeFacade, err := asked.facade()
	if err != nil {
		return nil, err
	}
	defer closeFacade()
	if _, err := turns(asked.Queries, bare, facade, asked.WarmUpBlocks); err != nil {
		return nil, err
	}
	return turns(asked.Queries, bare, facade, asked.Blocks)
}

// turns has both contenders take turns, there and back, so that what disturbs the machine disturbs both. A block is each
// query once.
func turns(queries []string, bare, facade recall, blocks int) (*outcome, error) {
	result := &outcome{}
	for turn := range 2 * blocks {
		contender, of := facade, &result.Facade
		if turn%4 == 0 || turn%4 == 3 {
			contender, of = bare, &result.Bare
		}
		if err := of.block(queries, contender); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func (t *taken) block(queries []string, contender recall) error {
	for _, query := range queries {
		began := time.Now()
		answer, err := contender(context.Background(), query)
		if err != nil {
			return err
		}
		t.Nanoseconds = append(t.Nanoseconds, time.Since(began).Nanoseconds())
		t.Hits += len(answer.GetHits())
	}
	return nil
}
