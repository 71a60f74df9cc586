import type { MessageInitShape } from "@bufbuild/protobuf";
import { type CallOptions, callOptions, type WriteOptions } from "./call-options.js";
import { type ChannelLike, channelNumber } from "./channels.js";
import type { Link, Related } from "./generated/camillo/v1/link_pb.js";
import {
  LinkService,
  type ListRelatedRequestSchema,
} from "./generated/camillo/v1/link_service_pb.js";
import {
  type EndLike,
  type EntityTypeLike,
  entity,
  type LinkLike,
  type LinkTypeLike,
  linkEnd,
  linkType,
  newLink,
} from "./link-fields.js";
import { pages } from "./pages.js";
import { Part } from "./part.js";

/** How what is related is listed. */
export interface RelatedOptions extends CallOptions {
  /** Where it will be shown; default: private. */
  channel?: ChannelLike;
  /** Items of a page; default: the server's choice. */
  pageSize?: number;
}

/**
 * Links: what belongs together, stated by callers or told by what texts mention. An end is the id of a memory, `event:ID`,
 * `decision:ID`, `document:ID`, or the key of a slot, which begins with `/`. Failures are {@link CamilloError}s.
 */
export class Links extends Part {
  /** States up to 100 links, each `[from, type, to]`, in one transaction; RefNotFound where an end is not there. */
  async add(links: Iterable<LinkLike>, options: WriteOptions = {}): Promise<Link[]> {
    const request = { requestId: options.requestId ?? "", links: [...links].map(newLink) };
    const { addLinks } = LinkService.method;
    return (await this.calls.unary(addLinks, request, callOptions(options))).links;
  }

  /** Takes links away; how many were there. */
  async remove(links: Iterable<LinkLike>, options: WriteOptions = {}): Promise<number> {
    const request = { requestId: options.requestId ?? "", links: [...links].map(newLink) };
    const { removeLinks } = LinkService.method;
    return (await this.calls.unary(removeLinks, request, callOptions(options))).removed;
  }

  /**
   * The neighbours of something: by links, then by what both mention, the rarest first; with `types`, only by
   * links of these. The timeout is that of each page.
   */
  related(
    item: EndLike,
    options: RelatedOptions & { types?: readonly LinkTypeLike[] } = {},
  ): AsyncGenerator<Related, void, undefined> {
    const types = (options.types ?? []).map(linkType);
    return this.#listed({ to: { case: "item", value: linkEnd(item) }, types }, options);
  }

  /** Mentions of an entity, such as `("ticket", "ABC-123")`, the newest first; the timeout is that of each page. */
  mentioning(
    type: EntityTypeLike,
    name: string,
    options: RelatedOptions = {},
  ): AsyncGenerator<Related, void, undefined> {
    return this.#listed({ to: { case: "entity", value: entity(type, name) } }, options);
  }

  async *#listed(
    asked: MessageInitShape<typeof ListRelatedRequestSchema>,
    options: RelatedOptions,
  ): AsyncGenerator<Related, void, undefined> {
    const { pageSize = 0, channel } = options;
    const request = { ...asked, pageSize, channel: channelNumber(channel) };
    const { listRelated } = LinkService.method;
    for await (const page of pages(this.calls, listRelated, request, callOptions(options))) {
      yield* page.related;
    }
  }
}
