package dev.camillo.client;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;

/** The machine's time zone, in which the days of a question begin and end. */
final class LocalTimeZone {
  private static final Set<String> NAMES_OF_UTC =
      Set.of("Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "Etc/GMT");

  private LocalTimeZone() {}

  /** Its name, or its offset where it has no name that a server knows; empty for UTC. */
  static String name() {
    return name(ZoneId.systemDefault());
  }

  static String name(ZoneId zone) {
    String id = zone.getId();
    if (id.contains("/") && ZoneId.getAvailableZoneIds().contains(id)) {
      return NAMES_OF_UTC.contains(id) ? "" : id;
    }
    ZoneOffset offset = zone.getRules().getOffset(Instant.now());
    return offset.getTotalSeconds() == 0 ? "" : offset.getId();
  }
}
