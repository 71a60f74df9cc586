package dev.camillo.client;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Keys that would go unencrypted to another machine. */
final class PlaintextKeys {
  private static final System.Logger LOGGER = System.getLogger("dev.camillo.client");
  private static final List<String> SCHEMES = List.of("dns:", "ipv4:", "ipv6:");
  private static final Pattern LOCAL =
      Pattern.compile(
          "localhost|.*\\.localhost|127(\\.\\d{1,3}){3}|(0{0,4}:){2,7}0{0,3}1",
          Pattern.CASE_INSENSITIVE);
  // Before or after these, the name that counts may be another.
  private static final Pattern AMBIGUOUS = Pattern.compile("[@%?#]");

  private PlaintextKeys() {}

  /** One warning for a key that would leave this machine as it is. */
  static void warn(CamilloBuilder target, String key) {
    String address = target.resolvedAddress();
    if (!key.isEmpty() && target.tls() == null && !staysHere(address)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "the key goes to {0} unencrypted: connect with tls",
          address);
    }
  }

  /** Whether what is sent to an address, in any form that gRPC takes, stays on this machine. */
  static boolean staysHere(String address) {
    if (address.startsWith("unix:")) {
      return true;
    }
    if (AMBIGUOUS.matcher(address).find()) {
      return false;
    }
    String bare = address.substring(address.lastIndexOf('/') + 1);
    for (String scheme : SCHEMES) {
      bare = bare.startsWith(scheme) ? bare.substring(scheme.length()) : bare;
    }
    return Stream.of(bare.split(",")).allMatch(each -> LOCAL.matcher(host(each)).matches());
  }

  private static String host(String address) {
    if (address.startsWith("[")) {
      return address.substring(1).split("]", 2)[0];
    }
    // Two colons and more are an IPv6 address without a port.
    int colon = address.indexOf(':');
    boolean hasPort = colon >= 0 && colon == address.lastIndexOf(':');
    return hasPort ? address.substring(0, colon) : address;
  }
}
