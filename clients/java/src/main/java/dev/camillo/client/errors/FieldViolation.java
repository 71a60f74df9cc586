package dev.camillo.client.errors;

import java.io.Serializable;

/**
 * One field of a request that breaks a limit.
 *
 * @param field the path of the field, such as {@code memory.content}
 * @param description what is wrong with it
 */
public record FieldViolation(String field, String description) implements Serializable {}
