package dev.camillo.client.errors;

/** No recipe of this name. */
public class RecipeNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public RecipeNotFound(Failure failure) {
    super(failure);
  }
}
