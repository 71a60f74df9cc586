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

  /**
   * The tool that comes with Java makes them, in a directory that is not looked at otherwise. It
   * takes a second: several are started before the first is waited for.
   */
  static Process start(String name, Path directory) throws IOException {
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command =
        List.of(
            keytool.toString(),
            "-J-XX:TieredStopAtLevel=1",
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
            store(name, directory).toString());
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Returns what the tool made, when it is done. */
  static Certificates made(Process tool, String name, Path directory)
      throws IOException, GeneralSecurityException, InterruptedException {
    String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = tool.waitFor();
    if (code != 0) {
      throw new IOException("keytool ended with " + code + ": " + said);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(store(name, directory))) {
      keys.load(file, PASSWORD);
    }
    return new Certificates(
        pem("CERTIFICATE", keys.getCertificate("own").getEncoded()),
        pem("PRIVATE KEY", keys.getKey("own", PASSWORD).getEncoded()));
  }

  private static Path store(String name, Path directory) {
    return directory.resolve(name + ".p12");
  }

  private static byte[] pem(String kind, byte[] content) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    String pem = "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
    return pem.getBytes(StandardCharsets.US_ASCII);
  }
}
