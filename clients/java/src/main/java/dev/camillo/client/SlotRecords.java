package dev.camillo.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.camillo.client.errors.ArtifactNotFound;
import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.SlotNotFound;
import dev.camillo.client.errors.VersionConflict;
import dev.camillo.v1.ArtifactServiceGrpc;
import dev.camillo.v1.BatchSetMemoryRequest;
import dev.camillo.v1.DeleteArtifactRequest;
import dev.camillo.v1.ForgetRequest;
import dev.camillo.v1.LifecycleServiceGrpc;
import dev.camillo.v1.NewSlot;
import dev.camillo.v1.RecordIds;
import dev.camillo.v1.Slot;
import dev.camillo.v1.SlotEntry;
import dev.camillo.v1.SlotServiceGrpc;
import dev.camillo.v1.SlotSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Bytes of any length under keys of a space, for adapters of frameworks: slots that no recall and
 * no digest shows. Failures are {@link CamilloError}.
 */
public final class SlotRecords {
  // A slot holds 64 KiB, and base64 adds a third.
  private static final int MAX_INLINE = 44 * 1024;
  private static final int RANDOM_BYTES = 16;
  private static final String ARTIFACT = "artifact:";

  private final Camillo camillo;
  private final String source;

  /** Records in the space of a client; the source names the framework. */
  public SlotRecords(Camillo camillo, String source) {
    this.camillo = camillo;
    this.source = source;
  }

  /** The bytes at a key, if there are any. */
  public Optional<byte[]> read(String key) {
    try {
      for (Slot slot = camillo.slots().get(key); ; ) {
        try {
          return Optional.of(data(slot));
        } catch (ArtifactNotFound gone) {
          // Somebody has put other bytes in their place meanwhile.
          Slot newer = camillo.slots().get(key);
          if (newer.getVersion() == slot.getVersion()) {
            throw gone;
          }
          slot = newer;
        }
      }
    } catch (SlotNotFound nothing) {
      return Optional.empty();
    }
  }

  /** The slots below a prefix, in the order of keys. */
  public Stream<Slot> below(String prefix) {
    return StreamSupport.stream(camillo.slots().list(prefix).spliterator(), false)
        .map(SlotEntry::getSlot);
  }

  /** The bytes of a slot. */
  public byte[] data(Slot slot) {
    byte[] packed =
        artifacts(slot.getJsonContent())
            .findFirst()
            .map(artifact -> camillo.artifacts().read(artifact, Ranges.all()))
            .orElseGet(() -> Base64.getDecoder().decode(text(slot.getJsonContent(), "data")));
    try (var bytes = new InflaterInputStream(new ByteArrayInputStream(packed))) {
      bytes.skipNBytes(RANDOM_BYTES);
      return bytes.readAllBytes();
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
  }

  /**
   * Puts bytes in the place of those at a key: of several writers the last one's stay, whole.
   * IllegalArgumentException where they look like a secret: they would not be read as they were.
   */
  public void write(String key, byte[] data) {
    String json = json(data);
    for (boolean isWritten = false; !isWritten; ) {
      Optional<Slot> replaced = newest(key);
      try {
        write(key, json, replaced.map(Slot::getVersion).orElse(0L));
        isWritten = true;
      } catch (VersionConflict faster) {
        continue;
      }
      replaced.stream()
          .flatMap(slot -> artifacts(slot.getJsonContent()))
          .map(artifact -> DeleteArtifactRequest.newBuilder().setArtifactId(artifact))
          .forEach(this::delete);
    }
  }

  /** Removes what is at a key for good, with every version of it. */
  public void delete(String key) {
    newest(key)
        .ifPresent(
            slot -> {
              RecordIds.Builder ids = RecordIds.newBuilder().addSlotIds(slot.getSlotId());
              artifacts(slot.getJsonContent()).forEach(ids::addArtifactIds);
              ForgetRequest.Builder request =
                  ForgetRequest.newBuilder().setRecords(ids).setAllowRestating(true);
              camillo.call(LifecycleServiceGrpc.getForgetMethod(), request.build());
            });
  }

  private void write(String key, String json, long version) {
    NewSlot slot =
        NewSlot.newBuilder()
            .setKey(key)
            .setJsonContent(json)
            .setSource(SlotSource.newBuilder().setText(source))
            .setIfVersion(version)
            .setUnindexed(true)
            .build();
    // As a batch, which is never spooled: what has been written can be read.
    var answer =
        camillo.call(
            SlotServiceGrpc.getBatchSetMemoryMethod(),
            BatchSetMemoryRequest.newBuilder().addSlots(slot).build());
    if (!answer.getResults(0).getSlot().getJsonContent().equals(json)) {
      throw new IllegalArgumentException("the bytes of " + key + " look like a secret");
    }
  }

  /** The newest version, be it a tombstone. */
  private Optional<Slot> newest(String key) {
    try {
      return camillo.slots().history(key, page -> page.setPageSize(1)).stream().findFirst();
    } catch (SlotNotFound nothing) {
      return Optional.empty();
    }
  }

  private void delete(DeleteArtifactRequest.Builder artifact) {
    camillo.call(ArtifactServiceGrpc.getDeleteArtifactMethod(), artifact.build());
  }

  /**
   * JSON that holds bytes, behind random ones: what is forgotten goes with whatever is the same.
   */
  private String json(byte[] data) {
    UUID random = UUID.randomUUID();
    ByteBuffer bytes = ByteBuffer.allocate(RANDOM_BYTES + data.length);
    bytes.putLong(random.getMostSignificantBits()).putLong(random.getLeastSignificantBits());
    byte[] packed = deflated(bytes.put(data).array());
    JsonObject held = new JsonObject();
    held.addProperty("type", source);
    JsonArray tags = new JsonArray();
    held.add("tags", tags);
    if (packed.length <= MAX_INLINE) {
      held.addProperty("data", Base64.getEncoder().encodeToString(packed));
    } else {
      tags.add(
          ARTIFACT
              + camillo
                  .artifacts()
                  .put(
                      ByteSource.of(packed),
                      fields -> fields.setMediaType("application/zlib").setTool(source))
                  .getArtifactId());
    }
    return held.toString();
  }

  private static byte[] deflated(byte[] data) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    Deflater fast = new Deflater(Deflater.BEST_SPEED);
    try (var to = new DeflaterOutputStream(packed, fast)) {
      to.write(data);
    } catch (IOException never) {
      throw new UncheckedIOException(never);
    } finally {
      fast.end();
    }
    return packed.toByteArray();
  }

  private static Stream<String> artifacts(String json) {
    JsonElement held = JsonParser.parseString(json);
    List<JsonElement> tags =
        held.isJsonObject() && held.getAsJsonObject().get("tags") instanceof JsonArray array
            ? array.asList()
            : List.of();
    return tags.stream()
        .map(JsonElement::getAsString)
        .filter(tag -> tag.startsWith(ARTIFACT))
        .map(tag -> tag.substring(ARTIFACT.length()));
  }

  private static String text(String json, String field) {
    return JsonParser.parseString(json).getAsJsonObject().get(field).getAsString();
  }
}
