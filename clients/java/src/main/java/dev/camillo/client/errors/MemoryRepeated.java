package dev.camillo.client.errors;

/** Another memory of the scope says exactly this. */
public class MemoryRepeated extends AlreadyExists {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public MemoryRepeated(Failure failure) {
    super(failure);
  }

  /** The other one. */
  public String memoryId() {
    return stated("memory_id");
  }
}
