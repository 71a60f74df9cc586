package camillo

import (
	"encoding/json"
	"os"
	"testing"
)

type addressCase struct {
	Given, Address, Problem, Use string
	TLS                          bool
}

func sharedAddresses(t *testing.T) (taken, refused []addressCase) {
	t.Helper()
	text, err := os.ReadFile("../addresses.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases struct{ Taken, Refused []addressCase }
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases.Taken, cases.Refused
}

func TestAddressesAreTakenAsTheyAre(t *testing.T) {
	taken, _ := sharedAddresses(t)
	for _, each := range append(taken, addressCase{Given: "passthrough:///bufnet", Address: "passthrough:///bufnet"}) {
		address := newTarget(func(string) string { return "" }, []Option{WithAddress(each.Given)}).address
		if err := checkAddress(address); err != nil || address != each.Address {
			t.Errorf("%q is taken as %q, %v", each.Given, address, err)
		}
	}
}

func TestAnAddressThatIsWrittenWrongIsCorrected(t *testing.T) {
	_, refused := sharedAddresses(t)
	for _, each := range refused {
		told := "camillo: " + each.Problem + ": use " + each.Use
		if each.TLS {
			told += " with TLS"
		}
		if _, err := Connect(WithAddress(each.Given), WithKey("k")); err == nil || err.Error() != told {
			t.Errorf("%q: %v, not %s", each.Given, err, told)
		}
		if err := checkAddress(each.Use); err != nil {
			t.Errorf("%q is proposed and refused: %v", each.Use, err)
		}
		t.Setenv("CAMILLO_ADDRESS", each.Given)
		if _, err := Connect(WithKey("k")); err == nil || err.Error() != told {
			t.Errorf("CAMILLO_ADDRESS=%q: %v, not %s", each.Given, err, told)
		}
	}
}
