package camillo

import (
	"sync"

	"github.com/klauspost/compress/zstd"

	camillov1 "camillo.dev/camillo/v1"
)

const (
	encodingZstd = "zstd"
	// The contract's: the most that one message stands for.
	maxDecodedBytes = 1 << 20
)

// Belongs to the process: it starts no goroutine, and any number may decode at once.
var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxDecodedBytes))
})

// decode puts the bytes that a message stands for in place of what was sent; it takes no more memory than those have. It is
// [BytesDamaged] if they are not as many as the message says.
func decode(message *camillov1.ReadArtifactResponse) error {
	if message.GetContentEncoding() == "" {
		return nil
	}
	decoded := decodedZstd(message)
	if decoded == nil {
		return damaged("the bytes from %d cannot be decoded", message.GetOffset())
	}
	message.Data, message.ContentEncoding, message.DecodedBytes = decoded, "", 0
	return nil
}

// decodedZstd is nil for bytes that are not one frame of the size that the message says.
func decodedZstd(message *camillov1.ReadArtifactResponse) []byte {
	size := int(message.GetDecodedBytes())
	if message.GetContentEncoding() != encodingZstd || size < 1 || size > maxDecodedBytes {
		return nil
	}
	var header zstd.Header
	if header.Decode(message.GetData()) != nil || !header.HasFCS || header.FrameContentSize != uint64(size) {
		return nil
	}
	decoder, err := zstdDecoder()
	if err != nil {
		return nil
	}
	decoded, err := decoder.DecodeAll(message.GetData(), make([]byte, 0, size))
	if err != nil || len(decoded) != size {
		return nil
	}
	return decoded
}
