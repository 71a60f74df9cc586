package dev.camillo.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.camillo.v1.RecallResponse;
import java.util.List;
import java.util.function.Function;

/** Holds what one contender has done. */
final class Taken {
  private final long[] nanoseconds;
  private int calls;
  private long hits;

  Taken(int mostCalls) {
    nanoseconds = new long[mostCalls];
  }

  void block(List<String> queries, Function<String, RecallResponse> recall) {
    for (String query : queries) {
      long began = System.nanoTime();
      RecallResponse answer = recall.apply(query);
      nanoseconds[calls++] = System.nanoTime() - began;
      hits += answer.getHitsCount();
    }
  }

  JsonObject told() {
    JsonArray taken = new JsonArray(calls);
    for (int call = 0; call < calls; call++) {
      taken.add(nanoseconds[call]);
    }
    JsonObject told = new JsonObject();
    told.add("ns", taken);
    told.addProperty("hits", hits);
    return told;
  }
}
