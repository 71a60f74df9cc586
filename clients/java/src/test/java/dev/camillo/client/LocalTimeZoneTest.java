package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the zone of a machine is named to a server. */
class LocalTimeZoneTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          Australia/Sydney, Australia/Sydney
          America/Argentina/Buenos_Aires, America/Argentina/Buenos_Aires
          +05:30, +05:30
          GMT+01:00, +01:00
          Japan, +09:00
          UTC, ''
          Etc/UTC, ''
          Z, ''
          """)
  void aZoneIsNamedAsInTheDatabaseElseByItsOffset(String id, String named) {
    assertEquals(named, LocalTimeZone.name(ZoneId.of(id)));
  }
}
