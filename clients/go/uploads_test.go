package camillo

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

// takenUpload is what came in one call of an upload.
type takenUpload struct {
	header *camillov1.PutArtifactHeader
	bytes  []byte
	finish []byte
}

// takes takes so many messages, all where it is 0, and then ends so.
func takes(into *takenUpload, count int, end error) reply {
	return func(stream grpc.ServerStream, _ proto.Message) error {
		for number := 0; count == 0 || number < count; number++ {
			request := &camillov1.PutArtifactRequest{}
			if err := stream.RecvMsg(request); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
			into.take(request)
		}
		if end != nil {
			return end
		}
		return stream.SendMsg(&camillov1.PutArtifactResponse{Artifact: &camillov1.Artifact{ArtifactId: "abc_1"}})
	}
}

func (u *takenUpload) take(request *camillov1.PutArtifactRequest) {
	switch part := request.GetPart().(type) {
	case *camillov1.PutArtifactRequest_Header:
		u.header = part.Header
	case *camillov1.PutArtifactRequest_Bytes:
		u.bytes = append(u.bytes, part.Bytes.GetData()...)
	case *camillov1.PutArtifactRequest_Finish:
		u.finish = part.Finish.GetSha256()
	}
}

func digest(content []byte) []byte {
	sum := sha256.Sum256(content)
	return sum[:]
}

func content(size int) []byte {
	made := make([]byte, size)
	for place := range made {
		made[place] = byte(place * 7)
	}
	return made
}

func TestAnUploadIsSentInMessagesWithItsDigest(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var taken takenUpload
	server.script("PutArtifact", takes(&taken, 0, nil))
	path := filepath.Join(t.TempDir(), "tea.log")
	whole := content(2*chunkBytes + 5)
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	artifact, err := client.Artifacts.PutFile(t.Context(), path, nil)
	if err != nil || artifact.GetArtifactId() != "abc_1" {
		t.Fatalf("%v, %v", artifact, err)
	}
	if !bytes.Equal(taken.bytes, whole) || !bytes.Equal(taken.finish, digest(whole)) {
		t.Errorf("%d bytes came", len(taken.bytes))
	}
	header := taken.header
	if header.GetArtifact().GetName() != "tea.log" || header.GetSizeBytes() != int64(len(whole)) || header.GetAgentId() != "ada" {
		t.Errorf("the header is %v", header)
	}
	if len(header.GetUploadId()) != 36 || len(header.GetRequestId()) != 32 {
		t.Errorf("the ids are %q and %q", header.GetUploadId(), header.GetRequestId())
	}
}

func TestABrokenUploadGoesOnWhereTheServerHoldsIt(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	var first, second takenUpload
	server.script("PutArtifact", takes(&first, 2, unavailable()), takes(&second, 0, nil))
	server.script("GetUpload", says(&camillov1.GetUploadResponse{HeldBytes: 1000}))
	whole := content(3 * chunkBytes)
	if _, err := client.Artifacts.Put(t.Context(), bytes.NewReader(whole), nil); err != nil {
		t.Fatal(err)
	}
	if second.header.GetOffset() != 1000 || !bytes.Equal(second.header.GetPrefixSha256(), digest(whole[:1000])) {
		t.Errorf("it went on with %v", second.header)
	}
	if !bytes.Equal(second.bytes, whole[1000:]) || !bytes.Equal(second.finish, digest(whole[1000:])) {
		t.Errorf("%d bytes came", len(second.bytes))
	}
	if first.header.GetUploadId() != second.header.GetUploadId() || len(pauses.lengths) != 1 {
		t.Errorf("%v, %v", first.header, pauses.lengths)
	}
}

func TestAnUploadThatTheServerLostBeginsAnew(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var first, second takenUpload
	server.script("PutArtifact", takes(&first, 1, unavailable()), takes(&second, 0, nil))
	server.script("GetUpload", refuses(failed(codes.NotFound, "UPLOAD_NOT_FOUND")))
	if _, err := client.Artifacts.Put(t.Context(), bytes.NewReader(content(10)), nil); err != nil {
		t.Fatal(err)
	}
	if second.header.GetOffset() != 0 || len(second.bytes) != 10 {
		t.Errorf("it went on with %v", second.header)
	}
}

func TestAnUploadWhoseAnswerWasLostIsFound(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var taken takenUpload
	server.script("PutArtifact", takes(&taken, 0, unavailable()))
	server.script("GetUpload", says(&camillov1.GetUploadResponse{ArtifactId: "def_2"}))
	server.script("GetArtifact", says(&camillov1.GetArtifactResponse{Artifact: &camillov1.Artifact{ArtifactId: "def_2"}}))
	artifact, err := client.Artifacts.Put(t.Context(), bytes.NewReader(content(10)), nil)
	if err != nil || artifact.GetArtifactId() != "def_2" || len(server.seen("PutArtifact")) != 1 {
		t.Errorf("%v, %v", artifact, err)
	}
}

func TestAnUploadGivesUpAfterThreeBreaksWithoutProgress(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	var taken takenUpload
	server.script("PutArtifact", takes(&taken, 1, unavailable()))
	_, err := client.Artifacts.Put(t.Context(), bytes.NewReader(content(10)), nil)
	var failure *Error
	if !errors.As(err, &failure) || !errors.Is(err, Unavailable) || len(pauses.lengths) != 3 {
		t.Fatalf("%v, %v", err, pauses.lengths)
	}
	if failure.RequestID != taken.header.GetRequestId() {
		t.Errorf("told was the request id %q", failure.RequestID)
	}
}

func TestWhatCanBeReadOnceIsSentOnce(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var taken takenUpload
	server.script("PutArtifact", takes(&taken, 1, unavailable()))
	once := io.MultiReader(bytes.NewReader(content(10)))
	if _, err := client.Artifacts.Put(t.Context(), once, nil); !errors.Is(err, Unavailable) {
		t.Errorf("%v", err)
	}
	if len(server.seen("PutArtifact")) != 1 || taken.header.SizeBytes != nil {
		t.Errorf("%d calls, %v", len(server.seen("PutArtifact")), taken.header)
	}
}

var errOfReader = errors.New("the reader's own")

func TestAFailureOfTheReaderIsTheCallers(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var taken takenUpload
	server.script("PutArtifact", takes(&taken, 0, nil))
	read, write := io.Pipe()
	_ = write.CloseWithError(errOfReader)
	if _, err := client.Artifacts.Put(t.Context(), read, nil); !errors.Is(err, errOfReader) {
		t.Errorf("%v", err)
	}
}

func TestOnlyAnOutputOfSomeLengthIsOffloaded(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	if answer, err := client.Artifacts.Offload(t.Context(), nil, nil); err != nil || answer.GetText() != "" {
		t.Errorf("%v, %v", answer, err)
	}
	_, _ = client.Artifacts.Offload(t.Context(), []byte("tea"), &camillov1.NewArtifact{Tool: "shell"})
	sent := requests[*camillov1.OffloadOutputRequest](server, "OffloadOutput")
	if len(sent) != 1 || sent[0].GetArtifact().GetTool() != "shell" || string(sent[0].GetOutput()) != "tea" {
		t.Errorf("sent was %v", sent)
	}
}

func TestALongOutputIsSentAsAStream(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var taken takenUpload
	server.script("PutArtifact", takes(&taken, 0, nil))
	server.script("GetArtifact", says(&camillov1.GetArtifactResponse{
		Artifact: &camillov1.Artifact{ArtifactId: "abc_1", MemoryRef: "[MemoryRef: abc_1]", Summary: "much\n"},
		Preview:  &camillov1.ArtifactPreview{Head: "first", Tail: "last"},
	}))
	answer, err := client.Artifacts.Offload(t.Context(), content(maxOutputBytes+1), nil)
	if err != nil || len(taken.bytes) != maxOutputBytes+1 {
		t.Fatalf("%v, %v", answer, err)
	}
	if answer.GetText() != "[MemoryRef: abc_1]\nmuch\n--- head\nfirst\n--- tail\nlast" {
		t.Errorf("%q", answer.GetText())
	}
}
