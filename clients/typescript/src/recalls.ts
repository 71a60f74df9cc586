import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { ChannelLike } from "./channels.js";
import type { NameOf } from "./enum-names.js";
import {
  type Freshness,
  FreshnessSchema,
  type Revision,
  type SpaceRead,
  SpaceReadSchema,
} from "./generated/camillo/v1/consistency_pb.js";
import type { MemoryFilter, ScoringWeights, Source } from "./generated/camillo/v1/memory_pb.js";
import { ScoringProfileSchema } from "./generated/camillo/v1/memory_pb.js";
import {
  type RecallRequest,
  RecallRequestSchema,
} from "./generated/camillo/v1/memory_service_pb.js";
import {
  type LinkMode,
  type RecallMode,
  type Rerank,
  RerankSchema,
  SpaceWeightsSchema,
  type SpeechMode,
  type TimeMode,
} from "./generated/camillo/v1/recall_pb.js";
import { type MemoryConditions, memoryFilter, type VectorLike, vectorOf } from "./memory-fields.js";
import { stated } from "./stated-fields.js";
import { localTimeZone } from "./time-zone.js";
import { atLeastAsFresh } from "./written-revisions.js";

/** A demand, or a revision alone: at least that one. */
export type FreshnessLike = Freshness | Revision;

/** The conversation that goes on: what is of this session, has these tags or resembles these turns is preferred. */
export interface RecallContextFields {
  sessionId?: string;
  tags?: readonly string[];
  /** The last turns, the latest last. */
  turns?: readonly string[];
}

/** How the server's reranker reads the best candidates again; default: as the server is set. */
export interface RerankFields {
  /** How many of them: 1 to 100. */
  candidates?: number;
  /** For how long, in milliseconds: 1 to 10,000. */
  budgetMs?: number;
}

/** How to answer a query. */
export interface RecallOptions {
  /** Searched by meaning alone, instead of a text. */
  vector?: VectorLike;
  /** Default: memories. For others, a hit has a `chunk` in place of a `memory`; `itemOf` reads either. */
  sources?: readonly (NameOf<typeof Source> | Source)[];
  filter?: MemoryConditions | MemoryFilter;
  /** 1 to 200; default 5. */
  limit?: number;
  /** `relevance` (default), `recency_weighted`, `evidence`, `blended`, `similarity`, `precise`, `reranked`, or weights of one's own. */
  profile?: string | ScoringWeights;
  /** How much a hit counts by its kind of space, 0 to 1: `{ projects: 0.9, shared: 0.8 }`; default: 1. */
  spaceWeights?: MessageInitShape<typeof SpaceWeightsSchema>;
  /** Leave out hits that score less. */
  minScore?: number;
  /** Tokens of content in all hits; default: no bound. */
  maxTokens?: number;
  /** Default: at least as fresh as this client's own writes. */
  freshness?: FreshnessLike;
  /** Look in the scope that all agents of the tenant share for the other sources, too. */
  includeShared?: boolean;
  /** Freshness of the shared scope, where it is searched; default: as `freshness`. */
  sharedFreshness?: FreshnessLike;
  /**
   * Other spaces to search as one collection with the client's own, such as `projects/shop`: up to 7, each at least as fresh as this
   * client's own writes.
   */
  spaces?: readonly (string | SpaceRead)[];
  /** Say how each score came about. */
  explain?: boolean;
  /** Where the hits will be shown; default: private. */
  channel?: ChannelLike;
  /** For a tool's answer or a trace: texts are masked by their sensitivity, as the tenant's masking says. */
  masked?: boolean;
  /** `complete`: up to the limit; `precise`: the answer ends where the scores fall off; default: as the profile says. */
  mode?: NameOf<typeof RecallMode> | RecallMode;
  /** Conversation and tags of the recall, which are preferred. */
  context?: RecallContextFields;
  /** The moment at which it was true, as far as is known now; default: now. */
  asOf?: Date;
  /** The moment at which it was known: what was stored by then, in the version of then; default: now. */
  knownAt?: Date;
  /** From where "yesterday" in the query counts; default: the server's clock. */
  queryTime?: Date;
  /** In which its days begin and end, such as "Europe/Madrid"; default: the machine's. */
  timeZone?: string;
  /** The effect of a time that the query names; default: `prefer` what happened then, or names it. */
  timeMode?: NameOf<typeof TimeMode> | TimeMode;
  /** Rows linked with the best candidates are candidates, too; default: `follow`. */
  linkMode?: NameOf<typeof LinkMode> | LinkMode;
  /** Who says what counts, and whether it asks or tells; default: `prefer`. */
  speechMode?: NameOf<typeof SpeechMode> | SpeechMode;
  /** Read the best candidates again with the server's reranker. */
  rerank?: boolean | RerankFields;
}

/** How `searchMyMemories` searches, unless told otherwise. */
export const MY_MEMORIES = {
  sources: ["memory", "audit", "workflow_step", "document"],
  profile: "blended",
  limit: 5,
} as const satisfies RecallOptions;

/** A recall by text or by vector; TypeError for both or neither. */
export function recallRequest(text: string, options: RecallOptions = {}): RecallRequest {
  const vector = vectorOf(options.vector);
  if ((text === "") === (vector === undefined)) {
    throw new TypeError("a recall takes either a query text or a vector");
  }
  const { filter, profile, freshness, sharedFreshness, rerank, spaces, spaceWeights, ...others } =
    options;
  const request = stated(RecallRequestSchema, { ...others, agentId: undefined, vector: undefined });
  request.timeZone = options.timeZone ?? localTimeZone();
  request.query = vector ? { case: "vector", value: vector } : { case: "text", value: text };
  if (filter) {
    request.filter = "$typeName" in filter ? filter : memoryFilter(filter);
  }
  if (rerank) {
    request.rerank = rerankOf(rerank);
  }
  if (spaces) {
    request.spaces = spaces.map((each) =>
      typeof each === "string" ? create(SpaceReadSchema, { space: each }) : each,
    );
  }
  if (profile !== undefined || spaceWeights) {
    request.profile = profileOf(profile);
    request.profile.spaceWeights = spaceWeights && create(SpaceWeightsSchema, spaceWeights);
  }
  if (freshness) {
    request.freshness = freshnessOf(freshness);
  }
  if (sharedFreshness) {
    request.sharedFreshness = freshnessOf(sharedFreshness);
  }
  return request;
}

/** A revision alone means at least that one. */
export function freshnessOf(demand: FreshnessLike): Freshness {
  return demand.$typeName === FreshnessSchema.typeName ? demand : atLeastAsFresh(demand);
}

function rerankOf(how: true | RerankFields): Rerank {
  return create(RerankSchema, { ...(how === true ? {} : how), enabled: true });
}

function profileOf(profile: string | ScoringWeights = "") {
  return create(ScoringProfileSchema, {
    profile:
      typeof profile === "string"
        ? { case: "name", value: profile }
        : { case: "weights", value: profile },
  });
}
