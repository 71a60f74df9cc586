package camillo

import (
	"fmt"
	"hash/crc32"

	"google.golang.org/grpc/codes"

	camillov1 "camillo.dev/camillo/v1"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// rangeCheck follows the messages of a read, over all calls that it takes: the bytes are those that the server read, as
// their CRC-32C and their number tell.
type rangeCheck struct {
	taken      int64
	crc32c     uint32
	rangeBytes int64
}

// take decodes a message. It is [BytesDamaged] if the bytes so far are not those that the server counted, or not as many as
// it says.
func (c *rangeCheck) take(message *camillov1.ReadArtifactResponse) error {
	crc32c := crc32.Update(c.crc32c, castagnoli, message.GetData())
	if crc32c != message.GetCrc32C() {
		place := message.GetOffset() + max(int64(message.GetDecodedBytes()), int64(len(message.GetData())))
		return damaged("checksum differs in the bytes before %d", place)
	}
	if err := decode(message); err != nil {
		return err
	}
	c.crc32c = crc32c
	c.rangeBytes = message.GetRangeBytes()
	c.taken += int64(len(message.GetData()))
	return nil
}

// hasAll tells whether every byte of the range has come. The length of a part by JSON pointer is not known beforehand.
func (c *rangeCheck) hasAll() bool {
	return c.rangeBytes > 0 && c.taken == c.rangeBytes
}

// end is [BytesDamaged] if there should have been more.
func (c *rangeCheck) end() error {
	if c.rangeBytes == 0 || c.hasAll() {
		return nil
	}
	return damaged("%d bytes came of %d", c.taken, c.rangeBytes)
}

// goOn asks for what has not come yet.
func (c *rangeCheck) goOn(request *camillov1.ReadArtifactRequest) {
	request.ResumeAfterBytes = c.taken
	request.ResumeCrc32C = c.crc32c
}

func damaged(format string, numbers ...any) error {
	return &Error{Code: codes.DataLoss, Message: fmt.Sprintf(format, numbers...), kind: BytesDamaged}
}
