package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.v1.AddLinksRequest;
import dev.camillo.v1.Entity;
import dev.camillo.v1.EntityType;
import dev.camillo.v1.Link;
import dev.camillo.v1.LinkEnd;
import dev.camillo.v1.LinkServiceGrpc;
import dev.camillo.v1.LinkType;
import dev.camillo.v1.ListRelatedRequest;
import dev.camillo.v1.ListRelatedResponse;
import dev.camillo.v1.NewLink;
import dev.camillo.v1.Related;
import dev.camillo.v1.RemoveLinksRequest;
import dev.camillo.v1.Source;
import java.util.Collection;
import java.util.List;

/**
 * Links: what belongs together, stated by callers or told by what texts mention. Failures are
 * {@link CamilloError}.
 */
public final class Links {
  private final UnaryCalls unary;

  Links(UnaryCalls unary) {
    this.unary = unary;
  }

  /** One end of a link: something of a source by its id, or a slot by its key. */
  public static LinkEnd end(Source source, String id) {
    return LinkEnd.newBuilder().setSource(source).setId(id).build();
  }

  /** A memory as one end of a link. */
  public static LinkEnd memory(String memoryId) {
    return end(Source.SOURCE_MEMORY, memoryId);
  }

  /** A link to state: from what, what it says, to what. */
  public static NewLink between(LinkEnd from, LinkType type, LinkEnd to) {
    return NewLink.newBuilder().setFrom(from).setType(type).setTo(to).build();
  }

  /** States up to 100 links in one transaction; RefNotFound where an end is not there. */
  public List<Link> add(Collection<NewLink> links) {
    AddLinksRequest request = AddLinksRequest.newBuilder().addAllLinks(links).build();
    return unary.call(LinkServiceGrpc.getAddLinksMethod(), request).getLinksList();
  }

  /** Takes links away; how many were there. */
  public int remove(Collection<NewLink> links) {
    RemoveLinksRequest request = RemoveLinksRequest.newBuilder().addAllLinks(links).build();
    return unary.call(LinkServiceGrpc.getRemoveLinksMethod(), request).getRemoved();
  }

  /**
   * The neighbours of something: by links, then by what both mention, the rarest first;
   * where types are given, only by links of these.
   */
  public Series<Related> related(LinkEnd item, LinkType... types) {
    return related(
        ListRelatedRequest.newBuilder().setItem(item).addAllTypes(List.of(types)).build());
  }

  /** Mentions of an entity, the newest first. */
  public Series<Related> mentioning(EntityType type, String name) {
    Entity entity = Entity.newBuilder().setType(type).setName(name).build();
    return related(ListRelatedRequest.newBuilder().setEntity(entity).build());
  }

  /** Returns what this request asks for, from its page on. */
  public Series<Related> related(ListRelatedRequest request) {
    return new Series<>(
            new Pages<>(unary, LinkServiceGrpc.getListRelatedMethod(), request), () -> {})
        .parts(ListRelatedResponse::getRelatedList);
  }
}
