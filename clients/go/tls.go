package camillo

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// TLS is what both ends prove themselves by. The zero value trusts the roots of the system.
type TLS struct {
	// RootPEM holds the certificates that the server's is checked by; empty: those of the system.
	RootPEM []byte
	// CertificatePEM, a chain, and PrivateKeyPEM prove who the client is; both or none.
	CertificatePEM []byte
	PrivateKeyPEM  []byte
	// ServerName is the name in the server's certificate, where it is not that of the address.
	ServerName string
}

// String tells what there is, and nothing of what is in it: the private key stays out of logs.
func (t TLS) String() string {
	return fmt.Sprintf(
		"TLS{RootPEM: %d bytes, CertificatePEM: %d bytes, PrivateKeyPEM: %d bytes, ServerName: %q}",
		len(t.RootPEM), len(t.CertificatePEM), len(t.PrivateKeyPEM), t.ServerName,
	)
}

// GoString is the same for %#v.
func (t TLS) GoString() string { return "camillo." + t.String() }

// LogValue is the same for package slog.
func (t TLS) LogValue() slog.Value { return slog.StringValue(t.String()) }

// TLSFromFiles reads PEM files; an empty path is no file.
func TLSFromFiles(root, certificate, privateKey string) (TLS, error) {
	var told TLS
	var failures [3]error
	told.RootPEM, failures[0] = fileAt(root)
	told.CertificatePEM, failures[1] = fileAt(certificate)
	told.PrivateKeyPEM, failures[2] = fileAt(privateKey)
	return told, errors.Join(failures[:]...)
}

func fileAt(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err == nil && len(content) == 0 {
		// As roots, it would stand for those of the system.
		return nil, fmt.Errorf("camillo: %s is empty", path)
	}
	return content, err
}

func (t *target) credentials() (credentials.TransportCredentials, error) {
	if t.tls == nil {
		return insecure.NewCredentials(), nil
	}
	config, err := t.tls.config()
	if err != nil {
		return nil, fmt.Errorf("camillo: %w", err)
	}
	return credentials.NewTLS(config), nil
}

func (t TLS) config() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: t.ServerName}
	if len(t.RootPEM) > 0 {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(t.RootPEM) {
			return nil, errors.New("no certificate among the roots")
		}
	}
	if (len(t.CertificatePEM) > 0) != (len(t.PrivateKeyPEM) > 0) {
		return nil, errors.New("a certificate chain and a private key go together")
	}
	if len(t.CertificatePEM) == 0 {
		return config, nil
	}
	pair, err := tls.X509KeyPair(t.CertificatePEM, t.PrivateKeyPEM)
	config.Certificates = []tls.Certificate{pair}
	return config, err
}
