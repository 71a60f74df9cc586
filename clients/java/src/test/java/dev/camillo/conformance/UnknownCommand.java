package dev.camillo.conformance;

/** This runner is older than the suite. */
final class UnknownCommand extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownCommand(String name) {
    super("no command is named " + name);
  }
}
