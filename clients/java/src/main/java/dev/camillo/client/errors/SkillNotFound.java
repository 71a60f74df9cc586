package dev.camillo.client.errors;

/** No such skill, or no such version of one. */
public class SkillNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public SkillNotFound(Failure failure) {
    super(failure);
  }
}
