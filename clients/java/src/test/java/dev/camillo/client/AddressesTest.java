package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Addresses of servers, by the cases that the clients share. */
class AddressesTest {
  static Stream<JsonObject> taken() {
    return SharedCases.of("addresses.json", "taken");
  }

  static Stream<JsonObject> refused() {
    return SharedCases.of("addresses.json", "refused");
  }

  @ParameterizedTest
  @MethodSource("taken")
  void addressesAreTakenAsTheyAre(JsonObject told) {
    for (CamilloBuilder builder : builders(text(told, "given"))) {
      assertEquals(text(told, "address"), builder.resolvedAddress());
    }
  }

  @ParameterizedTest
  @MethodSource("refused")
  void anAddressThatIsWrittenWrongIsCorrected(JsonObject told) {
    String use = text(told, "use");
    String message = text(told, "problem") + ": use " + use + (told.has("tls") ? " with TLS" : "");
    for (CamilloBuilder builder : builders(text(told, "given"))) {
      var refusal = assertThrows(IllegalArgumentException.class, builder.key("k")::connect);
      assertEquals(message, refusal.getMessage());
    }
    // A proposed address is accepted.
    assertEquals(use, new CamilloBuilder(Map.of()).address(use).resolvedAddress());
  }

  private static List<CamilloBuilder> builders(String address) {
    return List.of(
        new CamilloBuilder(Map.of()).address(address),
        new CamilloBuilder(Map.of("CAMILLO_ADDRESS", address)));
  }

  private static String text(JsonObject told, String name) {
    return told.get(name).getAsString();
  }
}
