/**
 * Errors of a call: one unchecked class for each reason of the contract, below one for
 * each code of gRPC.
 */
package dev.camillo.client.errors;
