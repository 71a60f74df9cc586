package dev.camillo.client;

import java.time.Duration;
import java.util.Map;

/** Which server to talk to, and how. Made by {@link Camillo#builder}. */
public final class CamilloBuilder {
  static final String DEFAULT_ADDRESS = "localhost:7070";
  static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
  static final int DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
  // gRPC servers allow a ping in 5 minutes without data and close connections of clients that ping
  // more often;
  // load balancers forget connections that are idle for about 6.
  static final Duration DEFAULT_KEEPALIVE = Duration.ofSeconds(330);

  private final Map<String, String> environment;
  private String address;
  private String key;
  private String agentId = "";
  private Tls tls;
  private Duration timeout = DEFAULT_TIMEOUT;
  private int maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES;
  private Duration keepalive = DEFAULT_KEEPALIVE;
  private Pause pause = Pause.SLEEP;

  CamilloBuilder(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * Host and port, or any name that gRPC resolves. Default: that of CAMILLO_ADDRESS, then
   * localhost:7070.
   */
  public CamilloBuilder address(String given) {
    address = given;
    return this;
  }

  /** The credential; space around it is left out. Default: that of CAMILLO_KEY, then none. */
  public CamilloBuilder key(String given) {
    key = given;
    return this;
  }

  /** For whom calls act, with a key that may act for any agent. Default: nobody in particular. */
  public CamilloBuilder agentId(String given) {
    agentId = given;
    return this;
  }

  /** Encrypts the connection. Default: nothing is encrypted, the key neither. */
  public CamilloBuilder tls(Tls given) {
    tls = given;
    return this;
  }

  /** How long a call with one answer may take, repetitions included. Default: 10 seconds. */
  public CamilloBuilder timeout(Duration given) {
    timeout = given;
    return this;
  }

  /** The largest message that is sent or taken, in bytes. Default: 64 MiB. */
  public CamilloBuilder maxMessageBytes(int given) {
    maxMessageBytes = given;
    return this;
  }

  /** How long a connection may be silent before it is tried. Default: 330 seconds. */
  public CamilloBuilder keepalive(Duration given) {
    keepalive = given;
    return this;
  }

  /** A client; it connects with the first call. */
  public Camillo connect() {
    Connection connection =
        new Connection(Channels.open(this), resolvedKey(), maxMessageBytes, pause);
    return new Camillo(connection, new Settings(agentId, timeout, null));
  }

  /** How waiting is done, for tests. */
  CamilloBuilder pause(Pause given) {
    pause = given;
    return this;
  }

  String resolvedAddress() {
    String named = isMissing(address) ? environment.get("CAMILLO_ADDRESS") : address;
    return isMissing(named) ? DEFAULT_ADDRESS : named;
  }

  String resolvedKey() {
    // Keys are read from files and pipes, and a line end in a header fails without saying why.
    return (key == null ? environment.getOrDefault("CAMILLO_KEY", "") : key).strip();
  }

  Tls tls() {
    return tls;
  }

  int maxMessageBytes() {
    return maxMessageBytes;
  }

  Duration keepalive() {
    return keepalive;
  }

  private static boolean isMissing(String text) {
    return text == null || text.isEmpty();
  }
}
