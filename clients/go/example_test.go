package camillo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"camillo.dev/camillo"
	camillov1 "camillo.dev/camillo/v1"
)

// A server at CAMILLO_ADDRESS, a key in CAMILLO_KEY.
func ExampleConnect() {
	client, err := camillo.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	who, err := client.WhoAmI(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(who.GetTenantId(), who.GetAgentId())
	// Output: acme ada
}

func ExampleClient_Remember() {
	ctx := context.Background()
	client, err := camillo.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	about := &camillov1.NewMemory{Kind: camillo.Preference, Tags: []string{"drinks"}}
	memory, err := client.Remember(ctx, "Ada prefers tea to coffee", about)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(memory.GetMemoryId(), memory.GetVersion())
	// Output: m1 1
}

func ExampleClient_WithSpaces() {
	ctx := context.Background()
	client, err := camillo.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ada, err := client.WithSpaces(camillo.Spaces{Write: "users/42", Read: []string{"projects/shop", camillo.Shared}})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := ada.Recall(ctx, "tea", nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range answer.GetHits() {
		fmt.Println(camillo.ItemOf(hit).Text)
	}
	// Output: Ada prefers tea to coffee
}

func ExampleClient_Recall() {
	ctx := context.Background()
	client, err := camillo.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	answer, err := client.Recall(ctx, "tea", &camillov1.RecallRequest{Limit: 3})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range answer.GetHits() {
		fmt.Printf("%.2f %s\n", hit.GetScore(), camillo.ItemOf(hit).Text)
	}
	// Output: 0.75 Ada prefers tea to coffee
}

// The second of each pair is the error that ended the list.
func ExampleClient_Memories() {
	ctx := context.Background()
	client, err := camillo.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for memory, err := range client.Memories(ctx, &camillov1.MemoryFilter{TagsAny: []string{"drinks"}}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(memory.GetContent())
	}
	// Output: Ada prefers tea to coffee
}

// It goes on by itself when the server goes away; to go on in another process, keep the last token.
func ExampleClient_Watch() {
	ctx := context.Background()
	client, err := camillo.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for change, err := range client.Watch(ctx, camillo.FromBeginning()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(change.GetChanged().GetContent(), change.GetResumeToken())
		break
	}
	// Output: Ada prefers tea to coffee t1
}

func ExampleArtifacts_Put() {
	ctx := context.Background()
	client, err := camillo.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	output := strings.NewReader("tea is ready\n")
	artifact, err := client.Artifacts.Put(ctx, output, &camillov1.NewArtifact{Name: "tea.log"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(artifact.GetArtifactId())
	// Output: abc_1
}

func ExampleError() {
	ctx := context.Background()
	client, err := camillo.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	_, err = client.Update(ctx, "m1", 1, &camillov1.Memory{Pinned: true})
	var failure *camillo.Error
	if errors.Is(err, camillo.VersionConflict) && errors.As(err, &failure) {
		actual, _ := failure.Number("actual_version")
		fmt.Println("it is at version", actual)
	}
	// Output: it is at version 2
}

func ExamplePages() {
	ctx := context.Background()
	client, err := camillo.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	admin := camillov1.NewAdminServiceClient(client)
	for page, err := range camillo.Pages(ctx, admin.ListAgents, &camillov1.ListAgentsRequest{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.GetAgents()), "agents")
	}
	// Output: 1 agents
}

func ExampleArtifacts_Offload() {
	ctx := context.Background()
	client, err := camillo.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	output := strings.Repeat("tea is ready\n", 10_000)
	shown, err := client.Artifacts.Offload(ctx, []byte(output), &camillov1.NewArtifact{Tool: "shell", Command: "make tea"})
	if err != nil {
		log.Fatal(err)
	}
	// The text to put before the model.
	fmt.Println(shown.GetText())
	// Output: [MemoryRef: make_tea_7f3k9q2mxd - make tea, 10,000 lines]
}

func ExampleDocuments_Publish() {
	ctx := context.Background()
	client, err := camillo.Connect()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	text := strings.NewReader("# Tea\n\nThe tea is on shelf 2.\n")
	answer, err := client.Documents.Publish(ctx, "handbook/tea.md", text, &camillov1.NewDocument{Tags: []string{"kitchen"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("version", answer.GetDocument().GetVersion())
	// Output: version 1
}
