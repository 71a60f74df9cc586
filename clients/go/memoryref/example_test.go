package memoryref_test

import (
	"fmt"

	"camillo.dev/camillo/memoryref"
)

func ExampleRender() {
	rendered, err := memoryref.Render("npm_install_7f3k9q2mxd", "npm install, exit 1")
	fmt.Println(rendered, err)
	// Output: [MemoryRef: npm_install_7f3k9q2mxd - npm install, exit 1] <nil>
}

func ExampleFindAll() {
	for _, ref := range memoryref.FindAll("See [MemoryRef: abc_1 - tea] and [MemoryRef: def_2].") {
		fmt.Printf("%q %q\n", ref.ArtifactID, ref.Description)
	}
	// Output:
	// "abc_1" "tea"
	// "def_2" ""
}
