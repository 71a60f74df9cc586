package dev.camillo.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.camillo.v1.RecallResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/**
 * Recalls by a bare stub and by the client, in turn: reads an order in JSON from a line, answers
 * with one line of how long each call took. {@code python -m bench.clients} asks.
 */
public final class Overhead {
  private final List<String> queries;
  private final Function<String, RecallResponse> bare;
  private final Function<String, RecallResponse> facade;

  private Overhead(
      List<String> queries,
      Function<String, RecallResponse> bare,
      Function<String, RecallResponse> facade) {
    this.queries = queries;
    this.bare = bare;
    this.facade = facade;
  }

  /** Answers one order. */
  public static void main(String[] arguments) throws IOException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    JsonObject order = JsonParser.parseString(input.readLine()).getAsJsonObject();
    JsonObject answer = new JsonObject();
    answer.add("id", order.get("id"));
    answer.add("ok", measured(order));
    System.out.println(answer);
  }

  private static JsonObject measured(JsonObject order) {
    try (Contenders contenders = new Contenders(order)) {
      Overhead overhead =
          new Overhead(Contenders.queries(order), contenders::byStub, contenders::byClient);
      overhead.turns(order.get("warm_up_blocks").getAsInt());
      return overhead.turns(order.get("blocks").getAsInt());
    }
  }

  /**
   * There and back, so that what disturbs the machine disturbs both. A block is each query once.
   */
  private JsonObject turns(int blocks) {
    Taken ofBare = new Taken(blocks * queries.size());
    Taken ofFacade = new Taken(blocks * queries.size());
    for (int turn = 0; turn < 2 * blocks; turn++) {
      if (turn % 4 == 0 || turn % 4 == 3) {
        ofBare.block(queries, bare);
      } else {
        ofFacade.block(queries, facade);
      }
    }
    JsonObject told = new JsonObject();
    told.add("bare", ofBare.told());
    told.add("facade", ofFacade.told());
    return told;
  }
}
