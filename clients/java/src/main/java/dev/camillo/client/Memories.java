package dev.camillo.client;

import dev.camillo.client.errors.Failures;
import dev.camillo.v1.BatchRememberRequest;
import dev.camillo.v1.BatchRememberResponse;
import dev.camillo.v1.BatchRememberResult;
import dev.camillo.v1.ForgetMemoriesRequest;
import dev.camillo.v1.ForgetMemoriesResponse;
import dev.camillo.v1.GetMemoryRequest;
import dev.camillo.v1.ListMemoriesRequest;
import dev.camillo.v1.ListMemoriesResponse;
import dev.camillo.v1.Memory;
import dev.camillo.v1.MemoryChange;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.NewMemory;
import dev.camillo.v1.RememberRequest;
import dev.camillo.v1.RememberResponse;
import dev.camillo.v1.UpdateMemoryRequest;
import dev.camillo.v1.UpdateMemoryResponse;
import dev.camillo.v1.WatchMemoriesRequest;
import java.util.List;

/** Holds what {@link Camillo} does with memories, in the messages of the contract. */
final class Memories {
  private final Calls calls;
  private final UnaryCalls unary;

  Memories(Calls calls, UnaryCalls unary) {
    this.calls = calls;
    this.unary = unary;
  }

  Written<Memory> remember(NewMemory memory) {
    RememberRequest request = RememberRequest.newBuilder().setMemory(memory).build();
    RememberResponse answer = unary.call(MemoryServiceGrpc.getRememberMethod(), request);
    Redactions.warn(answer.getRedactionsList());
    return Written.of(answer.getMemory(), answer.getDurability(), answer.getSpoolId());
  }

  List<Outcome<Memory>> rememberMany(Iterable<NewMemory> memories) {
    return new Batches(RequestFields.newRequestId()).send(memories, this::sent);
  }

  Memory get(String memoryId) {
    GetMemoryRequest request = GetMemoryRequest.newBuilder().setMemoryId(memoryId).build();
    return unary.call(MemoryServiceGrpc.getGetMemoryMethod(), request).getMemory();
  }

  Memory update(String memoryId, long expectedVersion, MemoryChanges changes) {
    UpdateMemoryRequest request =
        UpdateMemoryRequest.newBuilder()
            .setMemoryId(memoryId)
            .setExpectedVersion(expectedVersion)
            .setMemory(changes.memory())
            .setUpdateMask(changes.mask())
            .build();
    UpdateMemoryResponse answer = unary.call(MemoryServiceGrpc.getUpdateMemoryMethod(), request);
    Redactions.warn(answer.getRedactionsList());
    return answer.getMemory();
  }

  ForgetMemoriesResponse forget(ForgetMemoriesRequest request) {
    return unary.call(MemoryServiceGrpc.getForgetMemoriesMethod(), request);
  }

  Series<Memory> list(ListMemoriesRequest request) {
    return new Series<>(
            new Pages<>(unary, MemoryServiceGrpc.getListMemoriesMethod(), request), () -> {})
        .parts(ListMemoriesResponse::getMemoriesList);
  }

  Series<MemoryChange> watch(WatchMemoriesRequest request, int maxReconnects) {
    var method = MemoryServiceGrpc.getWatchMemoriesMethod();
    return new Watches<>(calls, method, unary.forAgent(method, request))
        .messages(maxReconnects)
        .parts(answer -> answer.hasChange() ? List.of(answer.getChange()) : List.of());
  }

  private List<Outcome<Memory>> sent(String requestId, List<NewMemory> pack) {
    BatchRememberRequest request =
        BatchRememberRequest.newBuilder().setRequestId(requestId).addAllMemories(pack).build();
    BatchRememberResponse answer =
        unary.call(MemoryServiceGrpc.getBatchRememberMethod(), request, false);
    return answer.getResultsList().stream().map(Memories::outcome).toList();
  }

  private static Outcome<Memory> outcome(BatchRememberResult result) {
    Redactions.warn(result.getRedactionsList());
    return result.hasError()
        ? Outcome.of(Failures.of(result.getError()))
        : Outcome.of(result.getMemory());
  }
}
