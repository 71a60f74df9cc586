package dev.camillo.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A certificate that signs itself, and its key, as PEM.
 *
 * @param certificate of the name it was made for
 * @param key PKCS#8
 */
record Certificates(byte[] certificate, byte[] key) {
  private static final char[] PASSWORD = "password".toCharArray();

  /** Made by the tool that comes with Java, in a directory that is not looked at otherwise. */
  static Certificates of(String name, Path directory)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = directory.resolve(name + ".p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command =
        List.of(
            keytool.toString(),
            "-genkeypair",
            "-alias",
            "own",
            "-keyalg",
            "EC",
            "-validity",
            "2",
            "-dname",
            "CN=" + name,
            "-ext",
            "san=dns:" + name,
            "-ext",
            "bc=ca:true",
            "-storetype",
            "PKCS12",
            "-storepass",
            "password",
            "-keystore",
            store.toString());
    int code = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException("keytool ended with " + code);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(store)) {
      keys.load(file, PASSWORD);
    }
    return new Certificates(
        pem("CERTIFICATE", keys.getCertificate("own").getEncoded()),
        pem("PRIVATE KEY", keys.getKey("own", PASSWORD).getEncoded()));
  }

  private static byte[] pem(String kind, byte[] content) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    String pem = "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
    return pem.getBytes(StandardCharsets.US_ASCII);
  }
}
