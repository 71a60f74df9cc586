package dev.camillo.client;

import dev.camillo.v1.Actor;
import dev.camillo.v1.ActorType;

/** Who causes events. */
public final class Actors {
  private Actors() {}

  /** A person. */
  public static Actor human(String name) {
    return of(ActorType.ACTOR_TYPE_HUMAN, name);
  }

  /** An agent. */
  public static Actor agent(String agentId) {
    return of(ActorType.ACTOR_TYPE_AGENT, agentId);
  }

  /** A tool. */
  public static Actor tool(String name) {
    return of(ActorType.ACTOR_TYPE_TOOL, name);
  }

  /** The runtime or another program. */
  public static Actor system(String name) {
    return of(ActorType.ACTOR_TYPE_SYSTEM, name);
  }

  private static Actor of(ActorType type, String name) {
    return Actor.newBuilder().setType(type).setId(name).build();
  }
}
