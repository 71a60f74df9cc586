import { CamilloError } from "./camillo-error.js";

/** The request cannot be right, whatever the server's state. */
export class InvalidArgument extends CamilloError {}

/** No credential, or one that is unknown, expired or revoked. */
export class CredentialInvalid extends CamilloError {}

/** The credential does not reach this scope, or lacks `requiredRole`. */
export class ScopeForbidden extends CamilloError {
  /** Empty where no role is missing. */
  get requiredRole(): string {
    return this.text("required_role");
  }
}

/** The agent `agentId` accepts no handoffs from this one. */
export class HandoffRefused extends ScopeForbidden {
  get agentId(): string {
    return this.text("agent_id");
  }
}

/** Not there, or not visible to the caller. */
export class NotFound extends CamilloError {}

/** The object to be made is there already. */
export class AlreadyExists extends CamilloError {}

/** A limit of the server or of the transport. */
export class ResourceExhausted extends CamilloError {
  /** The limit, where the server tells it. */
  get limit(): number | undefined {
    return this.number("limit");
  }
}

/** Right in form, but not in the state things are in. */
export class FailedPrecondition extends CamilloError {}

/** The server, or what it needs, cannot be reached at the moment. */
export class Unavailable extends CamilloError {}

/** The call took longer than its timeout. A mutation may have happened: repeat it with its `requestId`. */
export class DeadlineExceeded extends CamilloError {}

/** A defect of the server. */
export class InternalError extends CamilloError {}

/** The server does not know the method: it is older than this client. */
export class MethodUnknown extends CamilloError {}

/** The call was given up by the caller, or the client was closed. */
export class Cancelled extends CamilloError {}
