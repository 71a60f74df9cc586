import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { isBreak, Patience } from "./breaks.js";
import { callOptions, type WriteOptions } from "./call-options.js";
import type { Calls } from "./calls.js";
import { type DocumentFields, newDocument } from "./document-fields.js";
import { CamilloError } from "./errors/camillo-error.js";
import {
  KnowledgeService,
  type PublishDocumentHeader,
  PublishDocumentHeaderSchema,
  PublishDocumentRequestSchema,
  type PublishDocumentResponse,
} from "./generated/camillo/v1/knowledge_service_pb.js";
import { SHARED } from "./request-headers.js";
import { newRequestId } from "./requests.js";
import { type FeedMessages, type OnProgress, UploadFeed } from "./upload-feed.js";
import type { UploadSource } from "./upload-sources.js";

/** How a document is published, and what is said of it. */
export interface PublishOptions extends DocumentFields, WriteOptions {
  /** VersionConflict where the document has another version; 0: where it has any. */
  expectedVersion?: bigint | number;
  /** Keep the text without sentences that were forgotten, instead of refusing all of it. */
  omitForgotten?: boolean;
  /** Is told how many bytes have been sent. */
  onProgress?: OnProgress;
}

type Part = MessageInitShape<typeof PublishDocumentRequestSchema>;

/** One document on its way, over all calls that it takes. */
export class Publication {
  readonly #calls: Calls;
  readonly #source: UploadSource;
  readonly #options: PublishOptions;
  readonly #header: PublishDocumentHeader;

  constructor(calls: Calls, name: string, source: UploadSource, options: PublishOptions) {
    const { requestId, expectedVersion, omitForgotten = false } = options;
    this.#calls = calls;
    this.#source = source;
    this.#options = options;
    this.#header = create(PublishDocumentHeaderSchema, {
      requestId: requestId || newRequestId(),
      document: newDocument(name, options),
      omitForgotten,
      ...(expectedVersion === undefined ? {} : { expectedVersion: BigInt(expectedVersion) }),
    });
  }

  /** Sends everything; after a break from the beginning, under the same request id, up to three times. */
  async sent(): Promise<PublishDocumentResponse> {
    const write = { agentId: SHARED, isRepeatable: Boolean(this.#options.requestId) };
    try {
      return await this.#calls.written(write, () => this.#sent());
    } catch (error) {
      if (error instanceof CamilloError) {
        error.requestId = this.#header.requestId;
      }
      throw error;
    }
  }

  async #sent(): Promise<PublishDocumentResponse> {
    const patience = new Patience(this.#calls, this.#options.signal);
    for (;;) {
      try {
        return await this.#attempt();
      } catch (error) {
        if (!this.#source.canRestart || !isBreak(error)) {
          throw error;
        }
        await patience.waitAfter(error);
      }
    }
  }

  async #attempt(): Promise<PublishDocumentResponse> {
    const feed = new UploadFeed(this.#source, messages(this.#header), this.#options.onProgress);
    const { publishDocument } = KnowledgeService.method;
    const options = callOptions(this.#options);
    try {
      return await this.#calls.upload(publishDocument, feed.requests(), options);
    } catch (error) {
      throw feed.failure ? feed.failure.reason : error;
    }
  }
}

function messages(header: PublishDocumentHeader): FeedMessages<Part> {
  const part = (value: Part["part"] & {}) => create(PublishDocumentRequestSchema, { part: value });
  return {
    header: part({ case: "header", value: header }),
    start: 0,
    bytes: (data) => part({ case: "data", value: data }),
    finish: (sha256) => part({ case: "finish", value: { sha256 } }),
  };
}
