import { type CallOptions, callOptions } from "./call-options.js";
import type { ChannelLike } from "./channels.js";
import type { NameOf } from "./enum-names.js";
import type { Bundle } from "./generated/camillo/v1/context_pb.js";
import type { LinkMode, SpeechMode, TimeMode } from "./generated/camillo/v1/recall_pb.js";
import {
  BuildBundleRequestSchema,
  BuildDigestRequestSchema,
  SnapshotService,
} from "./generated/camillo/v1/snapshot_service_pb.js";
import { Part, present } from "./part.js";
import { type FreshnessLike, freshnessOf } from "./recalls.js";
import { stated } from "./stated-fields.js";
import { localTimeZone } from "./time-zone.js";

/** Holds what a bundle is to be made of. */
export interface BundleOptions extends CallOptions {
  /** The conversation; without it no recent turns. */
  sessionId?: string;
  /** At most so many tokens; default: the recipe's. */
  maxTokens?: number;
  /** Default: `active_context`. */
  recipe?: string;
  /** Its purpose, in a word, for the record. */
  intent?: string;
  /** Where it will be shown; default: private. */
  channel?: ChannelLike;
  /** Names of skills that are loaded whole; SkillNotFound for one that is not there. */
  skills?: readonly string[];
  /** Build it as of this time; default: now. */
  asOf?: Date;
  /** Report on every candidate. */
  explain?: boolean;
  /** Default: at least as fresh as this client's own writes. */
  freshness?: FreshnessLike;
  /** In which days that the text names begin and end, such as "Europe/Madrid"; default: the machine's. */
  timeZone?: string;
  /** The effect of a time that the text names; default: `prefer` what happened then, or names it. */
  timeMode?: NameOf<typeof TimeMode> | TimeMode;
  /** Rows linked with the best finds are found, too; default: `follow`. */
  linkMode?: NameOf<typeof LinkMode> | LinkMode;
  /** Who says what counts, and whether it asks or tells; default: `prefer`. */
  speechMode?: NameOf<typeof SpeechMode> | SpeechMode;
}

/** Holds what a digest is to be made of. */
export interface DigestOptions extends CallOptions {
  /** At most so many tokens; default: 2,000. */
  tokenLimit?: number;
  /** The activity: of slots written at one moment and of one importance, those with most of these tags come first. */
  tags?: string[];
  /** Slots that have expired by then are left out; default: now. */
  currentTime?: Date;
  /** Where it will be shown; default: private. */
  channel?: ChannelLike;
  /** Report on every candidate. */
  explain?: boolean;
  /** Default: at least as fresh as this client's own writes. */
  freshness?: FreshnessLike;
}

/** Context for the model next, under a budget of tokens. */
export class Context extends Part {
  /**
   * Context for the next call of a model: `prompt` is ready to be sent. BudgetTooSmall if `maxTokens` is less than what
   * may not be cut.
   */
  async bundle(text = "", options: BundleOptions = {}): Promise<Bundle> {
    const { freshness, ...others } = options;
    const request = stated(BuildBundleRequestSchema, { ...others, queryText: text });
    request.timeZone = options.timeZone ?? localTimeZone();
    if (freshness) {
      request.freshness = freshnessOf(freshness);
    }
    const { buildBundle } = SnapshotService.method;
    return present((await this.calls.unary(buildBundle, request, callOptions(options))).bundle);
  }

  /** The agent's slots in brief, a line each, the newest first: `prompt` is ready to be sent. */
  async digest(options: DigestOptions = {}): Promise<Bundle> {
    const { freshness, ...others } = options;
    const request = stated(BuildDigestRequestSchema, others);
    if (freshness) {
      request.freshness = freshnessOf(freshness);
    }
    const { buildDigest } = SnapshotService.method;
    return present((await this.calls.unary(buildDigest, request, callOptions(options))).bundle);
  }
}
