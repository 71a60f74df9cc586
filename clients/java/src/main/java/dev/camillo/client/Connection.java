package dev.camillo.client;

import io.grpc.ManagedChannel;

/** What all views of one client share. */
final class Connection {
  private final ManagedChannel channel;
  private final String key;
  private final int maxMessageBytes;
  private final Pause pause;
  private final WrittenRevisions written = new WrittenRevisions();

  Connection(ManagedChannel channel, String key, int maxMessageBytes, Pause pause) {
    this.channel = channel;
    this.key = key;
    this.maxMessageBytes = maxMessageBytes;
    this.pause = pause;
  }

  ManagedChannel channel() {
    return channel;
  }

  String key() {
    return key;
  }

  int maxMessageBytes() {
    return maxMessageBytes;
  }

  Pause pause() {
    return pause;
  }

  WrittenRevisions written() {
    return written;
  }
}
