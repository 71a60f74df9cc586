package dev.camillo.client.errors;

/** No such task, or none that may be shown in this channel. */
public class TaskNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public TaskNotFound(Failure failure) {
    super(failure);
  }
}
