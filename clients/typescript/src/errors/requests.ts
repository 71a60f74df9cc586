import { CamilloError } from "./camillo-error.js";
import { AlreadyExists, InvalidArgument, ResourceExhausted, Unavailable } from "./groups.js";

/** A field breaks a limit; `fieldViolations` names each. */
export class InvalidField extends InvalidArgument {}

/** A page token or resume token that this server did not make, or made for another query. */
export class InvalidPageToken extends InvalidArgument {}

/** The bytes are not those that were announced. */
export class ContentMismatch extends InvalidArgument {
  /** `size`, `sha256` or `prefix_sha256`. */
  get what(): string {
    return this.text("what");
  }

  get expected(): string {
    return this.text("expected");
  }

  get actual(): string {
    return this.text("actual");
  }
}

/** The object of a change has moved on since the version that the caller saw. */
export class VersionConflict extends CamilloError {
  get expected(): bigint | undefined {
    return this.bigint("expected_version");
  }

  get actual(): bigint | undefined {
    return this.bigint("actual_version");
  }
}

/** Bytes of an upload do not follow those before: it goes on at `expected`. */
export class UploadOffsetMismatch extends CamilloError {
  get expected(): bigint | undefined {
    return this.bigint("expected_offset");
  }

  get actual(): bigint | undefined {
    return this.bigint("actual_offset");
  }
}

/** The subject of a plan has changed since, or the plan is over an hour old: make a new one. */
export class PlanChanged extends CamilloError {}

/** The request id was used for other content within 24 hours. */
export class RequestIdReused extends AlreadyExists {}

/** The memory id chosen by the client is taken in this scope. */
export class MemoryIdTaken extends AlreadyExists {}

/** Another memory of the scope, `memoryId`, says exactly this. */
export class MemoryRepeated extends AlreadyExists {
  get memoryId(): string {
    return this.text("memory_id");
  }
}

/** A revision of another database or of another scope. */
export class RevisionUnknown extends CamilloError {}

/** A range that begins behind the end: there are `length` of `unit`, which is `bytes` or `lines`. */
export class RangePastEnd extends CamilloError {
  get unit(): string {
    return this.text("unit");
  }

  get length(): bigint | undefined {
    return this.bigint("length");
  }
}

/** Bytes of the artifact are missing or damaged in the server's store. */
export class BytesLost extends CamilloError {}

/** Bytes of an artifact came otherwise than the server sent them: read them again. */
export class BytesDamaged extends CamilloError {}

/** A quota or budget is used up. */
export class QuotaExceeded extends ResourceExhausted {
  get quota(): string {
    return this.text("quota");
  }
}

/** More calls in flight than the server takes. */
export class Overloaded extends ResourceExhausted {}

/** The server's store has no room left; nothing of the call is kept. */
export class StorageFull extends ResourceExhausted {}

/** The demanded revision was not reached in time. */
export class RevisionBehind extends Unavailable {}

/** Postgres cannot be reached. */
export class StorageUnavailable extends Unavailable {}

/** The store of artifact bytes cannot be reached. */
export class BytesUnavailable extends Unavailable {}

/** No message of a stream was taken or sent for longer than the server waits. */
export class StreamIdle extends Unavailable {}

/** The server is shutting down. */
export class ServerDraining extends Unavailable {}

/** Another distillation of the space has not ended. */
export class DistillationUnderWay extends CamilloError {}

/** The model that distils gave no answer. */
export class ModelUnavailable extends Unavailable {}
