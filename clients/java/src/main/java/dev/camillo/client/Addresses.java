package dev.camillo.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the address of a server is written; addresses.json has the cases of all clients. */
final class Addresses {
  private static final String DEFAULT_HOST = "localhost";
  private static final String DEFAULT_PORT = "7070";
  private static final int MAX_PORT = 65_535;
  // Names that gRPC resolves itself: what follows is its own business.
  private static final Pattern RESOLVED_BY_GRPC =
      Pattern.compile("(?i)(dns|ipv4|ipv6|unix|unix-abstract|vsock|xds):");
  private static final Pattern SCHEME = Pattern.compile("(?i)([a-z][a-z0-9+.-]*):/+");
  private static final Pattern ENCRYPTED = Pattern.compile("(?i)https|grpcs");
  private static final Pattern PATH = Pattern.compile("[/?#]");
  private static final Pattern NO_NAME =
      Pattern.compile("[\\s\"'<>()\\[\\]{}\\\\|^`,;%@]", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern IPV6 = Pattern.compile("([0-9A-Fa-f.]*:[0-9A-Fa-f.:]*)(%.+)?");
  private static final String WITHOUT = "an address is a host and a port without ";

  private Addresses() {}

  /** Host and port of an address; empty where there is none. */
  private record Authority(String host, String port) {
    /** Returns what was probably meant. */
    String proposed() {
      String known = host.isEmpty() ? DEFAULT_HOST : host;
      return known + ":" + (isPort(port) ? port : DEFAULT_PORT);
    }
  }

  /**
   * IllegalArgumentException for what gRPC would look up in vain, or connect to somewhere else; it
   * says what was probably meant.
   */
  static void check(String address) {
    if (RESOLVED_BY_GRPC.matcher(address).lookingAt()) {
      return;
    }
    Matcher scheme = SCHEME.matcher(address);
    boolean isUrl = scheme.lookingAt();
    String rest = isUrl ? address.substring(scheme.end()) : address.replaceFirst("^/+", "");
    String bare = PATH.split(rest, 2)[0];
    String authority = bare.substring(bare.lastIndexOf('@') + 1);
    Authority parts = parts(authority);
    if (isUrl) {
      String how = ENCRYPTED.matcher(scheme.group(1)).matches() ? " with TLS" : "";
      throw refusal(WITHOUT + scheme.group(1) + "://", parts.proposed() + how);
    }
    if (!bare.equals(address)) {
      throw refusal(WITHOUT + "a path", parts.proposed());
    }
    if (!bare.equals(authority)) {
      throw refusal(WITHOUT + "a user", parts.proposed());
    }
    checkParts(address, parts);
  }

  private static void checkParts(String address, Authority parts) {
    if (address.isEmpty()) {
      throw refusal("the address is blank", parts.proposed());
    }
    if (parts.host().isEmpty()) {
      throw refusal("the address " + address + " has no host", parts.proposed());
    }
    if (!isHost(parts.host())) {
      String local = new Authority("", "").proposed();
      throw refusal("the host of " + address + " is no name", local);
    }
    if (parts.port().isEmpty()) {
      throw refusal("the address " + address + " has no port", parts.proposed());
    }
    if (!isPort(parts.port())) {
      String problem = "the port of " + address + " is no number from 1 to " + MAX_PORT;
      throw refusal(problem, parts.proposed());
    }
  }

  private static IllegalArgumentException refusal(String problem, String use) {
    return new IllegalArgumentException(problem + ": use " + use);
  }

  /** The parts as they are written, an IPv6 address in brackets. */
  private static Authority parts(String authority) {
    if (isIpv6(authority)) {
      return new Authority("[" + authority + "]", "");
    }
    if (isPort(authority)) {
      return new Authority("", authority);
    }
    if (authority.startsWith("[")) {
      String[] parts = authority.split("]", 2);
      String port = parts.length > 1 ? parts[1] : "";
      return new Authority(parts[0] + "]", port.startsWith(":") ? port.substring(1) : port);
    }
    String[] parts = authority.split(":", 2);
    return new Authority(parts[0], parts.length > 1 ? parts[1] : "");
  }

  private static boolean isHost(String text) {
    return text.startsWith("[")
        ? isIpv6(text.substring(1, text.length() - 1))
        : !NO_NAME.matcher(text).find();
  }

  private static boolean isIpv6(String text) {
    Matcher literal = IPV6.matcher(text);
    if (!literal.matches()) {
      return false;
    }
    try {
      // In brackets it is never looked up as a name.
      InetAddress.getByName("[" + literal.group(1) + "]");
      return true;
    } catch (UnknownHostException none) {
      return false;
    }
  }

  private static boolean isPort(String text) {
    if (!text.matches("[0-9]{1,9}")) {
      return false;
    }
    int number = Integer.parseInt(text);
    return 0 < number && number <= MAX_PORT;
  }
}
