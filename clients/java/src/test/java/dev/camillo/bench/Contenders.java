package dev.camillo.bench;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.camillo.client.Camillo;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.RecallResponse;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.util.List;
import java.util.stream.StreamSupport;

/** The generated stub with nothing but the credential, and the client, each with a connection. */
final class Contenders implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final String agentId;
  private final int limit;
  private final ManagedChannel channel;
  private final MemoryServiceGrpc.MemoryServiceBlockingStub stub;
  private final Camillo camillo;

  Contenders(JsonObject order) {
    String address = order.get("address").getAsString();
    String key = order.get("key").getAsString();
    agentId = order.get("agent_id").getAsString();
    limit = order.get("limit").getAsInt();
    channel = ManagedChannelBuilder.forTarget(address).usePlaintext().build();
    stub = MemoryServiceGrpc.newBlockingStub(channel).withInterceptors(credential(key));
    camillo = Camillo.builder().address(address).key(key).agentId(agentId).connect();
  }

  static List<String> queries(JsonObject order) {
    return StreamSupport.stream(order.getAsJsonArray("queries").spliterator(), false)
        .map(JsonElement::getAsString)
        .toList();
  }

  RecallResponse byStub(String query) {
    return stub.recall(
        RecallRequest.newBuilder().setAgentId(agentId).setText(query).setLimit(limit).build());
  }

  RecallResponse byClient(String query) {
    return camillo.recall(query, options -> options.setLimit(limit));
  }

  @Override
  public void close() {
    camillo.close();
    channel.shutdownNow();
  }

  private static ClientInterceptor credential(String key) {
    Metadata metadata = new Metadata();
    metadata.put(AUTHORIZATION, "Bearer " + key);
    return MetadataUtils.newAttachHeadersInterceptor(metadata);
  }
}
