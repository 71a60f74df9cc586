/**
 * Client of Camillo, the memory service for AI agents. Begin with {@link
 * dev.camillo.client.Camillo}; messages and bare stubs are in {@link dev.camillo.v1}, errors in
 * {@link dev.camillo.client.errors}.
 */
package dev.camillo.client;
