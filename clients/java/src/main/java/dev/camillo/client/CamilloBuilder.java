package dev.camillo.client;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/** Which server to talk to, and how. Made by {@link Camillo#builder}. */
public final class CamilloBuilder {
  static final String DEFAULT_ADDRESS = "localhost:7070";
  // Agent of calls that name none, with a key that may act for any, unless CAMILLO_AGENT names one.
  static final String DEFAULT_AGENT = "default";
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
  private Pause pause;
  private Map<String, ?> serviceConfig = ServiceConfig.load();

  CamilloBuilder(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * Host and port, or any name that gRPC resolves; space around it is left out. Default: that of
   * CAMILLO_ADDRESS, then localhost:7070.
   */
  public CamilloBuilder address(String given) {
    address = given;
    return this;
  }

  /**
   * The credential; space around it is left out, and the empty one is none. Default: that of
   * CAMILLO_KEY, then, for a server on this machine and without a client certificate, the root key
   * in this user's data directory.
   */
  public CamilloBuilder key(String given) {
    key = given;
    return this;
  }

  /**
   * For whom calls act, with a key that may act for any agent, or {@link Camillo#SHARED}. Default:
   * the agent of CAMILLO_AGENT, then {@code default}; a key of one agent acts for that one.
   */
  public CamilloBuilder agentId(String given) {
    agentId = Objects.requireNonNull(given, "agentId");
    return this;
  }

  /**
   * Encrypts the connection. Default: nothing is encrypted, the key neither; of one that leaves
   * this machine so, the logger {@code dev.camillo.client} warns.
   */
  public CamilloBuilder tls(Tls given) {
    tls = given;
    return this;
  }

  /** How long a call with one answer may take, repetitions included. Default: 10 seconds. */
  public CamilloBuilder timeout(Duration given) {
    timeout = Objects.requireNonNull(given, "timeout");
    return this;
  }

  /** The largest message that is sent or taken, in bytes. Default: 64 MiB. */
  public CamilloBuilder maxMessageBytes(int given) {
    maxMessageBytes = given;
    return this;
  }

  /** How long a connection may be silent before it is tried. Default: 330 seconds. */
  public CamilloBuilder keepalive(Duration given) {
    keepalive = Objects.requireNonNull(given, "keepalive");
    return this;
  }

  /**
   * A client; it connects with the first call. IllegalArgumentException for a key, an agent in
   * CAMILLO_AGENT, an address or certificates that cannot be right.
   */
  public Camillo connect() {
    Caller caller = resolvedCaller();
    PlaintextKeys.warn(this, caller.key());
    Connection connection = new Connection(Channels.open(this), caller, maxMessageBytes, pause);
    return new Camillo(connection, new Settings(agentId, Beside.NOTHING, timeout, null));
  }

  /** How waiting is done, for tests. */
  CamilloBuilder pause(Pause given) {
    pause = given;
    return this;
  }

  /** Returns what gRPC repeats and after how long, for tests. */
  CamilloBuilder serviceConfig(Map<String, ?> given) {
    serviceConfig = given;
    return this;
  }

  Map<String, ?> serviceConfig() {
    return serviceConfig;
  }

  /** The address; IllegalArgumentException for one that is no host and port. */
  String resolvedAddress() {
    String named = isMissing(address) ? environment.get("CAMILLO_ADDRESS") : address;
    // As with keys: a line end would be taken for a part of the name.
    String found = isMissing(named) ? DEFAULT_ADDRESS : named.strip();
    Addresses.check(found);
    return found;
  }

  String resolvedKey() {
    // Keys are read from files and pipes, and a line end in a header fails without saying why.
    String named = (key == null ? environment.getOrDefault("CAMILLO_KEY", "") : key).strip();
    if (!Headers.isKey(named)) {
      // Not told which: the message may end in a log.
      throw new IllegalArgumentException("the key holds characters that no key has");
    }
    return named;
  }

  /**
   * With the key of a server on this machine where the caller shows nothing else: it must not
   * travel to whatever an address names.
   */
  Caller resolvedCaller() {
    String given = resolvedKey();
    boolean isShown = key != null || !given.isEmpty() || (tls != null && tls.hasIdentity());
    if (isShown || !PlaintextKeys.staysHere(resolvedAddress())) {
      return new Caller(given, resolvedDefaultAgent(), "");
    }
    LocalKey found = LocalKey.find(resolvedAddress(), environment);
    return new Caller(found.key(), resolvedDefaultAgent(), found.refusal());
  }

  private String resolvedDefaultAgent() {
    String named = environment.getOrDefault("CAMILLO_AGENT", "").strip();
    if (!Headers.isPrintable(named)) {
      throw new IllegalArgumentException("CAMILLO_AGENT has characters that no header can hold");
    }
    return named.isEmpty() ? DEFAULT_AGENT : named;
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
