package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"

	"camillo.dev/camillo"
	"camillo.dev/camillo/memoryref"
	camillov1 "camillo.dev/camillo/v1"
)

func put(ctx context.Context, client *camillo.Client, of command) (any, error) {
	artifact, err := client.Artifacts.PutFile(ctx, of.Path, &camillov1.NewArtifact{Name: of.Name})
	if err != nil {
		return nil, err
	}
	return inJSON(artifact)
}

func publish(ctx context.Context, client *camillo.Client, of command) (any, error) {
	file, err := os.Open(of.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	response, err := client.Documents.Upload(ctx, file, &camillov1.PublishDocumentHeader{
		RequestId: of.RequestID, ExpectedVersion: of.ExpectedVersion,
		Document: &camillov1.NewDocument{Name: of.Name, Categories: of.Categories},
	})
	if err != nil {
		return nil, err
	}
	return inJSON(response)
}

func read(ctx context.Context, client *camillo.Client, of command) (any, error) {
	file, err := os.Create(of.Path)
	if err != nil {
		return nil, err
	}
	digest := sha256.New()
	count, err := client.Artifacts.Download(ctx, of.Artifact, nil, io.MultiWriter(file, digest))
	if closed := file.Close(); err == nil {
		err = closed
	}
	return map[string]any{"bytes": count, "sha256": hex.EncodeToString(digest.Sum(nil))}, err
}

func offload(ctx context.Context, client *camillo.Client, of command) (any, error) {
	about := &camillov1.NewArtifact{Tool: of.Tool}
	response, err := client.Artifacts.Offload(ctx, []byte(of.Text), about)
	if err != nil {
		return nil, err
	}
	return inJSON(response)
}

func renderRef(of command) (any, error) {
	return memoryref.Render(of.ArtifactID, of.Description)
}

type ref struct {
	ArtifactID  string `json:"artifact_id"`
	Description string `json:"description"`
}

func parseRefs(of command) (any, error) {
	found := []ref{}
	for _, each := range memoryref.FindAll(of.Text) {
		found = append(found, ref{each.ArtifactID, each.Description})
	}
	return found, nil
}
