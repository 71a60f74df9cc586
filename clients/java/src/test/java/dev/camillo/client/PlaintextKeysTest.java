package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A key that leaves the machine unencrypted is told. */
class PlaintextKeysTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:7070",
        "localhost",
        "dns:///localhost:7070",
        "dns:localhost:7070",
        "127.0.0.1:7070",
        "127.9.9.9",
        "[::1]:7070",
        "::1",
        "[0:0:0:0:0:0:0:1]:7070",
        "ipv6:[::1]:7070",
        "ipv4:127.0.0.1:1,127.0.0.2:2",
        "unix:/run/camillo.sock",
        "camillo.localhost:80"
      })
  void whatGoesToThisMachineStaysHere(String address) {
    assertTrue(PlaintextKeys.staysHere(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "camillo.example:7070",
        "camillo",
        "10.0.0.1:7070",
        "[2001:db8::1]:7070",
        "0.0.0.0:7070",
        "dns:///camillo.example:7070",
        "dns://127.0.0.1/camillo.example:7070",
        "ipv4:127.0.0.1:1,10.0.0.1:2",
        "localhost.example:7070",
        "127.0.0.1.example:7070",
        "localhost:1@camillo.example",
        "dns:///localhost:1%40camillo.example",
        "dns:///camillo.example?/localhost",
        "dns:///camillo.example#/localhost"
      })
  void whatGoesElsewhereDoesNot(String address) {
    assertFalse(PlaintextKeys.staysHere(address));
  }

  @Test
  void onlyAKeyThatWouldBeReadOnTheWayIsTold() {
    List<String> told =
        warnings(
            () -> {
              connect("camillo.example:7070", "k-secret", null);
              connect("camillo.example:7070", "", null);
              connect("camillo.example:7070", "k-secret", Tls.standard());
              connect("localhost:7070", "k-secret", null);
            });
    assertEquals(
        List.of("the key goes to camillo.example:7070 unencrypted: connect with tls"), told);
  }

  private static void connect(String address, String key, Tls tls) {
    new CamilloBuilder(Map.of()).address(address).key(key).tls(tls).connect().close();
  }

  private static List<String> warnings(Runnable action) {
    List<String> told = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord warning) {
            String text = new SimpleFormatter().formatMessage(warning);
            // Others may warn meanwhile.
            if (text.contains("camillo.example")) {
              told.add(text);
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.camillo.client");
    logger.addHandler(handler);
    try {
      action.run();
    } finally {
      logger.removeHandler(handler);
    }
    return told;
  }
}
