package dev.camillo.client.errors;

/** The credential does not reach this scope, or lacks a role. */
public class ScopeForbidden extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ScopeForbidden(Failure failure) {
    super(failure);
  }

  /** The role that is missing; empty where it is the scope. */
  public String requiredRole() {
    return stated("required_role");
  }
}
