// Package camillo is the client of Camillo, the memory service for AI agents.
//
// [Connect] makes a [Client]; its methods take and return the messages of the contract, from package camillov1
// (camillo.dev/camillo/v1). A Client is safe for use by several goroutines and is meant to live as long as the program.
//
// Every call, through the methods here or through a generated stub on top of the client, goes one way: it carries the
// credential, has a deadline, is repeated where that does no harm, sees the client's own writes, and fails with an
// [*Error]. A write that was spooled, see [Placement], is seen by every server once it is stored.
//
//	memories := camillov1.NewMemoryServiceClient(client) // every RPC of the contract, with all of that
//
// Lists and streams are iterators of pairs, the second of which is the error that ended them; after an error nothing
// follows. Leaving the loop ends the call.
package camillo

// Version is that of this client.
const Version = "0.1.0"
