import { type CallOptions, callOptions, type WriteOptions } from "./call-options.js";
import { type ChannelLike, channelNumber } from "./channels.js";
import {
  type ChangedDocumentFields,
  type DocumentConditions,
  type DocumentKey,
  type DocumentView,
  documentFilter,
} from "./document-fields.js";
import type { CamilloError } from "./errors/camillo-error.js";
import { type Document, NewDocumentSchema } from "./generated/camillo/v1/knowledge_pb.js";
import {
  type DeleteDocumentResponse,
  type GetDocumentResponse,
  KnowledgeService,
  type PublishDocumentResponse,
} from "./generated/camillo/v1/knowledge_service_pb.js";
import { pages } from "./pages.js";
import { Part, present } from "./part.js";
import { Publication, type PublishOptions } from "./publications.js";
import { maskOf, stated } from "./stated-fields.js";
import { type ByteSource, sourceOf } from "./upload-sources.js";

/** How documents and their versions are listed. */
export interface ListDocumentsOptions extends CallOptions {
  /** Where they will be shown; default: private. */
  channel?: ChannelLike;
  /** Documents of a page; default 50. */
  pageSize?: number;
}

/**
 * Documents: what the tenant knows, found in passages by a recall from the source `document`. To write them takes a key that
 * reaches every agent. Failures are {@link CamilloError}s.
 */
export class Documents extends Part {
  /**
   * Stores the document of this name, or its next version; the same again stores nothing. A source that can be read again is sent
   * again after a break, up to three times. There is no timeout unless one is given; it is that of each connection.
   * DocumentUnreadable where it is not what it says it is, or more than the server reads.
   */
  async publish(
    name: string,
    source: ByteSource,
    options: PublishOptions = {},
  ): Promise<PublishDocumentResponse> {
    const publication = new Publication(this.calls, name, await sourceOf(source), options);
    const answer = await publication.sent();
    this.tell(answer.redactions);
    return answer;
  }

  /** A document by its id, with its text or a part of it; DocumentNotFound if there is none. */
  async get(
    documentId: string,
    options: DocumentView & CallOptions = {},
  ): Promise<GetDocumentResponse> {
    return this.#get({ case: "documentId", value: documentId }, options);
  }

  /** As {@link get}, by its name. */
  async getByName(
    name: string,
    options: DocumentView & CallOptions = {},
  ): Promise<GetDocumentResponse> {
    return this.#get({ case: "name", value: name }, options);
  }

  /** Documents that pass all conditions, by name, over all pages; the timeout is that of each page. */
  async *list(
    conditions: DocumentConditions = {},
    options: ListDocumentsOptions = {},
  ): AsyncGenerator<Document, void, undefined> {
    const request = { filter: documentFilter(conditions), ...pageOf(options) };
    const { listDocuments } = KnowledgeService.method;
    for await (const page of pages(this.calls, listDocuments, request, callOptions(options))) {
      yield* page.documents;
    }
  }

  /** Changes what is said of a document, as a version of its own; VersionConflict if it is no longer at that version. */
  async update(
    documentId: string,
    version: bigint | number,
    changes: ChangedDocumentFields,
    options: WriteOptions = {},
  ): Promise<Document> {
    const request = {
      requestId: options.requestId ?? "",
      documentId,
      expectedVersion: BigInt(version),
      updateMask: maskOf(NewDocumentSchema, changes),
      document: stated(NewDocumentSchema, changes),
    };
    const { updateDocument } = KnowledgeService.method;
    const answer = await this.calls.unary(updateDocument, request, callOptions(options));
    this.tell(answer.redactions);
    return present(answer.document);
  }

  /** Takes a document out of what is found; it keeps its versions. */
  async archive(documentId: string, options: WriteOptions = {}): Promise<Document> {
    return this.#archive(documentId, false, options);
  }

  /** Takes an archived document back into what is found. */
  async restore(documentId: string, options: WriteOptions = {}): Promise<Document> {
    return this.#archive(documentId, true, options);
  }

  /** Removes a document with every version and passage. Its name may be used again. */
  async delete(documentId: string, options: WriteOptions = {}): Promise<DeleteDocumentResponse> {
    const request = { requestId: options.requestId ?? "", documentId };
    const { deleteDocument } = KnowledgeService.method;
    return this.calls.unary(deleteDocument, request, callOptions(options));
  }

  /** The versions of a document without their texts, the newest first; the timeout is that of each page. */
  async *versions(
    documentId: string,
    options: ListDocumentsOptions = {},
  ): AsyncGenerator<Document, void, undefined> {
    const request = { documentId, ...pageOf(options) };
    const { listDocumentVersions } = KnowledgeService.method;
    const call = callOptions(options);
    for await (const page of pages(this.calls, listDocumentVersions, request, call)) {
      yield* page.versions;
    }
  }

  async #get(
    document: DocumentKey,
    options: DocumentView & CallOptions,
  ): Promise<GetDocumentResponse> {
    const { version, bytes: [from, until] = [0], omitText = false } = options;
    const request = {
      document,
      channel: channelNumber(options.channel),
      omitText,
      byteFrom: BigInt(from),
      byteUntil: BigInt(until ?? 0),
      ...(version === undefined ? {} : { version: BigInt(version) }),
    };
    return this.calls.unary(KnowledgeService.method.getDocument, request, callOptions(options));
  }

  async #archive(documentId: string, restore: boolean, options: WriteOptions): Promise<Document> {
    const request = { requestId: options.requestId ?? "", documentId, restore };
    const { archiveDocument } = KnowledgeService.method;
    const answer = await this.calls.unary(archiveDocument, request, callOptions(options));
    return present(answer.document);
  }
}

function pageOf({ channel, pageSize = 0 }: ListDocumentsOptions) {
  return { channel: channelNumber(channel), pageSize };
}
