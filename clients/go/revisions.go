package camillo

import "sync"

// A revision is opaque: two of them cannot be compared. Order has to come from time instead. A write that began after
// every earlier one had completed has the newest revision of them all, so its token alone is enough. A write that
// overlapped with another may be older or newer than it, and so may one that repeats an earlier request id, for it gets
// the first answer. Then the client does not know which token to demand, and the next read asks for full consistency; the
// revision it is answered from covers all those writes and is carried from there on.

// writtenRevisions holds the newest revision of the client's writes, by agent id.
type writtenRevisions struct {
	lock   sync.Mutex
	scopes map[string]*writtenScope
}

type writtenScope struct {
	completed int
	// Empty: nothing was written.
	revision string
	// Whether revision is known to cover every write that completed.
	coversAll bool
}

// ticket is a write or a read of one scope, and how many writes had completed when it began.
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
	return &writtenRevisions{scopes: map[string]*writtenScope{}}
}

// begin is to be called before a write or a read is sent.
func (w *writtenRevisions) begin(agentID string) ticket {
	w.lock.Lock()
	defer w.lock.Unlock()
	return ticket{agentID, w.scope(agentID).completed}
}

// wrote says that a write completed; it is repeatable if its request id was the caller's and may have been used before.
func (w *writtenRevisions) wrote(of ticket, revision string, repeatable bool) {
	if revision == "" {
		return
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	scope := w.scope(of.agentID)
	wasAlone := of.completed == scope.completed
	scope.coversAll = wasAlone && (!repeatable || scope.revision == "")
	scope.revision = revision
	scope.completed++
}

// demand is false where nothing was written.
func (w *writtenRevisions) demand(of ticket) (demand, bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	scope := w.scope(of.agentID)
	switch {
	case scope.revision == "":
		return demand{}, false
	case scope.coversAll:
		return demand{atLeast: scope.revision}, true
	}
	return demand{fullyConsistent: true}, true
}

// read says that a read which met the demand was answered from this revision: it covers what had been written by then.
func (w *writtenRevisions) read(of ticket, revision string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	scope := w.scope(of.agentID)
	if scope.completed == of.completed && revision != "" && !scope.coversAll {
		scope.revision, scope.coversAll = revision, true
	}
}

// drop says that the server does not know the revision: it is forgotten, unless a later write has taken its place.
func (w *writtenRevisions) drop(of ticket) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if scope := w.scope(of.agentID); scope.completed == of.completed {
		scope.revision, scope.coversAll = "", true
	}
}

func (w *writtenRevisions) scope(agentID string) *writtenScope {
	scope, known := w.scopes[agentID]
	if !known {
		scope = &writtenScope{coversAll: true}
		w.scopes[agentID] = scope
	}
	return scope
}
