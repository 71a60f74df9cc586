package camillo

import (
	"bytes"
	"fmt"
	"io"
)

// One message of an upload.
const chunkBytes = 256 << 10

const sizeUnknown = -1

// uploadSource is bytes to be sent; only what can be read again can begin at an offset.
type uploadSource struct {
	reader io.Reader
	seeker io.Seeker
	origin int64
	size   int64
}

// sourceOf takes a reader from where it stands. Where its length is known, what is appended meanwhile is left out.
func sourceOf(reader io.Reader) *uploadSource {
	source := &uploadSource{reader: reader, size: sizeUnknown}
	seeker, isSeeker := reader.(io.Seeker)
	if !isSeeker {
		return source
	}
	origin, err := seeker.Seek(0, io.SeekCurrent)
	if err != nil {
		// A pipe is a file that cannot seek.
		return source
	}
	source.seeker, source.origin = seeker, origin
	end, err := seeker.Seek(0, io.SeekEnd)
	// Files such as those of /proc do not tell their length.
	if err == nil && end > origin {
		source.size = end - origin
	}
	return source
}

func bytesSource(content []byte) io.Reader {
	return bytes.NewReader(content)
}

func (s *uploadSource) canRestart() bool {
	return s.seeker != nil
}

// from is the bytes from an offset on.
func (s *uploadSource) from(offset int64) (io.Reader, error) {
	if !s.canRestart() {
		return s.reader, nil
	}
	if _, err := s.seeker.Seek(s.origin+offset, io.SeekStart); err != nil {
		return nil, fmt.Errorf("camillo: going back in what is sent: %w", err)
	}
	if s.size == sizeUnknown {
		return s.reader, nil
	}
	return io.LimitReader(s.reader, s.size-offset), nil
}
