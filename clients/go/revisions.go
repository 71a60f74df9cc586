package camillo

import (
	"container/list"
	"sync"
)

// A revision is opaque: two of them cannot be compared. Order has to come from time instead. A write that began after
// every earlier one had completed has the newest revision of them all, so its token alone is enough. A write that
// overlapped with another may be older or newer than it, and so may one that repeats an earlier request id, for it gets
// the first answer. Then the client does not know which token to demand, and the next read asks for full consistency; the
// revision it is answered from covers all those writes and is carried from there on.

// Some MiB of them: an operator's client may act for any number of agents.
const maxScopes = 10_000

// writtenRevisions holds the newest revision of the client's writes, by agent id: of so many agents, those that were called
// last; the first read of another one asks for full consistency from then on.
type writtenRevisions struct {
	lock  sync.Mutex
	limit int
	// Elements are *writtenScope; those called last come first.
	recent    *list.List
	scopes    map[string]*list.Element
	completed int
	// Holds what stands for the writes of scopes that were let go; 0: there were none.
	letGoAt int
}

type writtenScope struct {
	agentID string
	// The last of the client's writes that was one of this scope.
	completed int
	// Empty: nothing was written, or it was let go.
	revision string
	// Whether revision is known to cover every write that completed; without one, that there were none.
	coversAll bool
}

// ticket is a write or a read of one scope, and which of the client's writes had been its last when it began.
type ticket struct {
	agentID   string
	completed int
}

// demand is what a read has to ask for to see the writes.
type demand struct {
	fullyConsistent bool
	atLeast         string
}

func newWrittenRevisions() *writtenRevisions {
	return &writtenRevisions{limit: maxScopes, recent: list.New(), scopes: map[string]*list.Element{}}
}

// begin is to be called before a write or a read is sent.
func (w *writtenRevisions) begin(agentID string) ticket {
	w.lock.Lock()
	defer w.lock.Unlock()
	return ticket{agentID, w.known(agentID).completed}
}

// wrote says that a write completed; it is repeatable if its request id was the caller's and may have been used before.
func (w *writtenRevisions) wrote(of ticket, revision string, repeatable bool) {
	if revision == "" {
		return
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	scope := w.held(of.agentID)
	wasAlone := of.completed == scope.completed
	isFirst := scope.revision == "" && scope.coversAll
	scope.coversAll = wasAlone && (!repeatable || isFirst)
	w.completed++
	scope.revision, scope.completed = revision, w.completed
}

// demand is false where nothing was written.
func (w *writtenRevisions) demand(of ticket) (demand, bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	scope := w.known(of.agentID)
	if !scope.coversAll {
		return demand{fullyConsistent: true}, true
	}
	return demand{atLeast: scope.revision}, scope.revision != ""
}

// read says that a read which met the demand was answered from this revision: it covers what had been written by then.
func (w *writtenRevisions) read(of ticket, revision string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	scope := w.known(of.agentID)
	if scope.completed == of.completed && revision != "" && !scope.coversAll {
		scope = w.held(of.agentID)
		scope.revision, scope.coversAll = revision, true
	}
}

// drop says that the server does not know the revision: it is forgotten, unless a later write has taken its place.
func (w *writtenRevisions) drop(of ticket) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if scope := w.known(of.agentID); scope.completed == of.completed {
		scope.revision, scope.coversAll = "", true
	}
}

// known is what is known of an agent's writes; reading holds nothing of it that was not held.
func (w *writtenRevisions) known(agentID string) *writtenScope {
	if held, isHeld := w.scopes[agentID]; isHeld {
		w.recent.MoveToFront(held)
		return held.Value.(*writtenScope)
	}
	return &writtenScope{agentID: agentID, completed: w.letGoAt, coversAll: w.letGoAt == 0}
}

// held is the same to be changed; it lets go of the one that was not called for longest, where there are too many.
func (w *writtenRevisions) held(agentID string) *writtenScope {
	scope := w.known(agentID)
	if _, isHeld := w.scopes[agentID]; isHeld {
		return scope
	}
	w.scopes[agentID] = w.recent.PushFront(scope)
	if len(w.scopes) > w.limit {
		oldest := w.recent.Remove(w.recent.Back()).(*writtenScope)
		delete(w.scopes, oldest.agentID)
		// Later than every write so far: no ticket given out before is taken for the last.
		w.completed++
		w.letGoAt = w.completed
	}
	return scope
}
