package dev.camillo.client;

import dev.camillo.v1.ArtifactRange;
import dev.camillo.v1.ByteRange;
import dev.camillo.v1.JsonValue;
import dev.camillo.v1.LineRange;
import dev.camillo.v1.LinesAround;

/** Which part of an artifact is wanted. */
public final class Ranges {
  private Ranges() {}

  /** All of it. */
  public static ArtifactRange all() {
    return ArtifactRange.getDefaultInstance();
  }

  /** Bytes from 0, the one at {@code end} not among them; a negative start counts from the end. */
  public static ArtifactRange bytes(long start, long end) {
    ByteRange bytes = ByteRange.newBuilder().setStart(start).setEnd(positive(end)).build();
    return ArtifactRange.newBuilder().setBytes(bytes).build();
  }

  /** Bytes from 0 to the end; a negative start counts from the end. */
  public static ArtifactRange bytesFrom(long start) {
    return ArtifactRange.newBuilder().setBytes(ByteRange.newBuilder().setStart(start)).build();
  }

  /** Lines from 1, both among them. */
  public static ArtifactRange lines(long first, long last) {
    LineRange lines = LineRange.newBuilder().setFirst(first).setLast(positive(last)).build();
    return ArtifactRange.newBuilder().setLines(lines).build();
  }

  /** Lines from 1 to the end. */
  public static ArtifactRange linesFrom(long first) {
    return ArtifactRange.newBuilder().setLines(LineRange.newBuilder().setFirst(first)).build();
  }

  /** The first so many lines. */
  public static ArtifactRange head(long lines) {
    return ArtifactRange.newBuilder().setHeadLines(lines).build();
  }

  /** The last so many lines. */
  public static ArtifactRange tail(long lines) {
    return ArtifactRange.newBuilder().setTailLines(lines).build();
  }

  /** A line, from 1, with so many lines before and after it. */
  public static ArtifactRange around(long line, int context) {
    // In the contract a context of 0 is the default.
    if (context == 0) {
      return lines(line, line);
    }
    LinesAround around = LinesAround.newBuilder().setLine(line).setContext(context).build();
    return ArtifactRange.newBuilder().setAround(around).build();
  }

  /**
   * A value of a JSON document, by a pointer such as {@code /users/3/name}; empty: the whole
   * document.
   */
  public static ArtifactRange json(String pointer) {
    return ArtifactRange.newBuilder().setJson(JsonValue.newBuilder().setPointer(pointer)).build();
  }

  private static long positive(long end) {
    // In the contract 0 is "to the end", which somebody who computed a 0 does not mean.
    if (end < 1) {
      throw new IllegalArgumentException("the end of a range is 1 or more");
    }
    return end;
  }
}
