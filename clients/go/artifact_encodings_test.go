package camillo

import (
	"bytes"
	"errors"
	"hash/crc32"
	"testing"

	"github.com/klauspost/compress/zstd"

	camillov1 "camillo.dev/camillo/v1"
)

// frame is a message with the zstd of a text.
func frame(t *testing.T, text []byte, size int) *camillov1.ReadArtifactResponse {
	t.Helper()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	data := encoder.EncodeAll(text, nil)
	return &camillov1.ReadArtifactResponse{
		Data: data, RangeBytes: int64(len(text)), Crc32C: crc32.Checksum(data, castagnoli),
		ContentEncoding: "zstd", DecodedBytes: int32(size),
	}
}

func TestADownloadAsksForZstdAndWritesWhatItStandsFor(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	text := bytes.Repeat([]byte("the same again, "), 60_000)
	server.script("ReadArtifact", says(frame(t, text, len(text))))
	got, err := client.Artifacts.Read(t.Context(), "abc_1", nil)
	if err != nil || !bytes.Equal(got, text) {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	sent := requests[*camillov1.ReadArtifactRequest](server, "ReadArtifact")
	if accepted := sent[0].GetAcceptEncodings(); len(accepted) != 1 || accepted[0] != "zstd" {
		t.Errorf("it accepts %v", accepted)
	}
}

func TestWhatIsNotAsLongAsItSaysIsNeverReturned(t *testing.T) {
	text := bytes.Repeat([]byte("the same again, "), 1_000)
	bomb := make([]byte, 64*maxDecodedBytes)
	cut := frame(t, text, len(text))
	cut.Data = cut.Data[:len(cut.Data)-1]
	twice := frame(t, text, len(text))
	twice.Data = append(twice.Data, twice.Data...)
	other := frame(t, text, len(text))
	other.ContentEncoding = "br"
	for name, message := range map[string]*camillov1.ReadArtifactResponse{
		"shorter": frame(t, text, len(text)+1), "longer": frame(t, text, len(text)-1),
		"nothing": frame(t, text, 0), "less than nothing": frame(t, text, -1),
		"a bomb": frame(t, bomb, maxDecodedBytes), "a bomb that says so": frame(t, bomb, len(bomb)),
		"cut": cut, "twice": twice, "another encoding": other,
	} {
		message.Crc32C = crc32.Checksum(message.Data, castagnoli)
		var check rangeCheck
		if err := check.take(message); !errors.Is(err, BytesDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
