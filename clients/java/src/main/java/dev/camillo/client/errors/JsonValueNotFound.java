package dev.camillo.client.errors;

/** The JSON pointer names nothing, or no array where a slice is asked for. */
public class JsonValueNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public JsonValueNotFound(Failure failure) {
    super(failure);
  }

  /** The pointer. */
  public String jsonPointer() {
    return stated("json_pointer");
  }
}
