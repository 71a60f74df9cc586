package camillo

import (
	"bytes"
	"errors"
	"hash/crc32"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

// piece is bytes of a content as a server sends them.
func piece(whole []byte, start, end int) *camillov1.ReadArtifactResponse {
	return &camillov1.ReadArtifactResponse{
		Data: whole[start:end], Offset: int64(start), RangeBytes: int64(len(whole)),
		Crc32C: crc32.Checksum(whole[:end], castagnoli),
	}
}

func TestAReadGoesOnWhereItBroke(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	whole := content(100)
	server.script("ReadArtifact",
		saysThen(unavailable(), piece(whole, 0, 40)), refuses(unavailable()), says(piece(whole, 40, 100)))
	got, err := client.Artifacts.Read(t.Context(), "[MemoryRef: abc_1 - tea]", nil)
	if err != nil || !bytes.Equal(got, whole) || len(pauses.lengths) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	sent := requests[*camillov1.ReadArtifactRequest](server, "ReadArtifact")
	if sent[0].GetArtifactId() != "abc_1" || sent[0].GetResumeAfterBytes() != 0 {
		t.Errorf("it began with %v", sent[0])
	}
	if sent[2].GetResumeAfterBytes() != 40 || sent[2].GetResumeCrc32C() != piece(whole, 0, 40).GetCrc32C() {
		t.Errorf("it went on with %v", sent[2])
	}
}

func TestAReadThatBreaksBehindItsLastByteIsComplete(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	whole := content(100)
	server.script("ReadArtifact", saysThen(unavailable(), piece(whole, 0, 100)))
	got, err := client.Artifacts.Read(t.Context(), "abc_1", nil)
	if err != nil || !bytes.Equal(got, whole) || len(server.seen("ReadArtifact")) != 1 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestDamagedBytesAreNeverReturned(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	whole := content(100)
	damaged := proto.CloneOf(piece(whole, 40, 100))
	damaged.Data[3] ^= 1
	server.script("ReadArtifact", says(piece(whole, 0, 40), damaged))
	got, err := client.Artifacts.Read(t.Context(), "abc_1", nil)
	if !errors.Is(err, BytesDamaged) || len(got) != 40 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestBytesThatAreMissingAreNotPassedOver(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("ReadArtifact", says(piece(content(100), 0, 40)))
	if _, err := client.Artifacts.Read(t.Context(), "abc_1", nil); !errors.Is(err, BytesDamaged) {
		t.Errorf("%v", err)
	}
}

func TestAReadGivesUpAfterThreeBreaksWithoutProgress(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	server.script("ReadArtifact", refuses(failed(codes.Unavailable, "BYTES_UNAVAILABLE")))
	_, err := client.Artifacts.Read(t.Context(), "abc_1", nil)
	if !errors.Is(err, BytesUnavailable) || len(pauses.lengths) != 3 {
		t.Errorf("%v, %v", err, pauses.lengths)
	}
}

func TestOtherFailuresEndARead(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	server.script("ReadArtifact", refuses(failed(codes.NotFound, "ARTIFACT_NOT_FOUND")))
	_, err := client.Artifacts.Read(t.Context(), "abc_1", nil)
	if !errors.Is(err, ArtifactNotFound) || len(pauses.lengths) != 0 {
		t.Errorf("%v, %v", err, pauses.lengths)
	}
}

func TestARangeIsAskedFor(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	lines := &camillov1.ArtifactRange{Range: &camillov1.ArtifactRange_HeadLines{HeadLines: 3}}
	if _, err := client.Artifacts.Read(t.Context(), "abc_1", lines); err != nil {
		t.Fatal(err)
	}
	if sent := requests[*camillov1.ReadArtifactRequest](server, "ReadArtifact")[0]; sent.GetRange().GetHeadLines() != 3 {
		t.Errorf("sent was %v", sent)
	}
}
