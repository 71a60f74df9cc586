package camillo

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

// certificate is one that signs itself, for a server of this name and for clients, and its key; both in PEM.
func certificate(t *testing.T, name string) (chain, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})
}

// newTLSServer asks clients for a certificate that signs itself with the server's key.
func newTLSServer(t *testing.T, chain, key []byte) *fakeServer {
	t.Helper()
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(chain)
	server, stop := startServer(grpc.Creds(credentials.NewTLS(&tls.Config{
		MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair},
		ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
	})))
	t.Cleanup(stop)
	return server
}

func TestBothEndsProveThemselves(t *testing.T) {
	chain, key := certificate(t, "camillo.test")
	client, _ := newClientOf(t, newTLSServer(t, chain, key), WithTLS(TLS{
		RootPEM: chain, CertificatePEM: chain, PrivateKeyPEM: key, ServerName: "camillo.test",
	}))
	if _, err := client.WhoAmI(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAWrongCertificateIsUnavailable(t *testing.T) {
	chain, key := certificate(t, "camillo.test")
	server := newTLSServer(t, chain, key)
	other, _ := certificate(t, "camillo.test")
	for what, with := range map[string]TLS{
		"root": {RootPEM: other, CertificatePEM: chain, PrivateKeyPEM: key, ServerName: "camillo.test"},
		"name": {RootPEM: chain, CertificatePEM: chain, PrivateKeyPEM: key, ServerName: "other.test"},
	} {
		client, _ := newClientOf(t, server, WithTLS(with))
		if _, err := client.WhoAmI(t.Context()); !errors.Is(err, Unavailable) {
			t.Errorf("another %s: %v", what, err)
		}
	}
}

func TestPrivateKeysStayOutOfLogs(t *testing.T) {
	with := TLS{PrivateKeyPEM: []byte("the key"), ServerName: "camillo.test"}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("connecting", "tls", with)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		log.WriteString(fmt.Sprintf(verb, with))
		log.WriteString(fmt.Sprintf(verb, &with))
	}
	// As text, as numbers and in base 64.
	for _, key := range []string{"the key", "116 104 101", "0x74", "dGhlIGtleQ"} {
		if strings.Contains(log.String(), key) {
			t.Errorf("it is in %s", &log)
		}
	}
}

func TestACertificateAndItsKeyGoTogether(t *testing.T) {
	chain, key := certificate(t, "camillo.test")
	for _, with := range []TLS{{CertificatePEM: chain}, {PrivateKeyPEM: key}, {RootPEM: []byte("none")}} {
		if _, err := Connect(WithTLS(with)); err == nil {
			t.Errorf("%q was taken", with)
		}
	}
	empty := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"no such file", empty} {
		if _, err := TLSFromFiles(path, "", ""); err == nil {
			t.Errorf("%s was taken", path)
		}
	}
}
