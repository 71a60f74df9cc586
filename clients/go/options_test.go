package camillo

import (
	"strings"
	"testing"
)

func TestTheEnvironmentSaysWhatNoOptionSays(t *testing.T) {
	environment := map[string]string{"CAMILLO_ADDRESS": "there:1", "CAMILLO_KEY": "k1\n"}
	of := func(name string) string { return environment[name] }
	none := func(string) string { return "" }
	cases := []struct {
		name         string
		got          *target
		address, key string
	}{
		{"nothing", newTarget(none, nil), DefaultAddress, ""},
		{"the environment", newTarget(of, nil), "there:1", "k1"},
		{"options", newTarget(of, []Option{WithAddress("here:2"), WithKey(" k2 ")}), "here:2", "k2"},
		{"an address with a line's end", newTarget(none, []Option{WithAddress("here:2\n")}), "here:2", ""},
		{"empty options", newTarget(of, []Option{WithAddress(""), WithKey("")}), "there:1", ""},
	}
	for _, told := range cases {
		if told.got.address != told.address || told.got.key != told.key {
			t.Errorf("%s: %q and %q", told.name, told.got.address, told.got.key)
		}
	}
}

func TestAKeyThatNoHeaderCanHoldIsRefusedAndNotTold(t *testing.T) {
	for _, key := range []string{"sec\nret", "secr\u00e9t", "sec\x00ret"} {
		client, err := Connect(WithKey(key))
		if err == nil {
			_ = client.Close()
			t.Errorf("%q was taken", key)
		} else if strings.Contains(err.Error(), "sec") {
			t.Errorf("it is in %q", err)
		}
	}
}
