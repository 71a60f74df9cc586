package camillo

import (
	"crypto/rand"
	"encoding/hex"
)

// newRequestID is an id that nobody else uses.
func newRequestID() string {
	return hex.EncodeToString(randomUUID())
}

// newUploadID is such an id in the form of a UUID.
func newUploadID() string {
	digits := newRequestID()
	return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
}

// randomUUID is of version 4 and the variant of RFC 9562.
func randomUUID() []byte {
	id := make([]byte, 16)
	// Never fails.
	_, _ = rand.Read(id)
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}
