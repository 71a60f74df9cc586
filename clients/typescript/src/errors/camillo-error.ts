import type { StatusCode } from "./status-code.js";

/** One field of a request that breaks a limit. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** Holds what is known of a call that failed. */
export interface Failure {
  readonly code: StatusCode;
  readonly message?: string;
  readonly reason?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly fieldViolations?: readonly FieldViolation[];
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string;
  readonly cause?: unknown;
}

/** Every failure of a call. Subclasses say why; a reason that this client does not know is kept in `reason`. */
export class CamilloError extends Error {
  /** The gRPC code. */
  readonly code: StatusCode;
  /** Without the prefix `ERROR_REASON_`; empty where the failure did not come from Camillo. */
  readonly reason: string;
  /** Details of the reason, by key. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The fields that break a limit, in the server's order. */
  readonly fieldViolations: readonly FieldViolation[];
  /** When to come back, where the server says so. */
  readonly retryAfterSeconds: number | undefined;
  /** Id of the mutation that failed: sent again with it, the mutation happens once at most. */
  requestId: string;

  constructor(failure: Failure) {
    super(
      failure.message ?? "",
      failure.cause === undefined ? undefined : { cause: failure.cause },
    );
    this.name = new.target.name;
    this.code = failure.code;
    this.reason = failure.reason ?? "";
    this.metadata = failure.metadata ?? {};
    this.fieldViolations = failure.fieldViolations ?? [];
    this.retryAfterSeconds = failure.retryAfterSeconds;
    this.requestId = failure.requestId ?? "";
  }

  /** The reason or the code, the message, and each field that breaks a limit. */
  override toString(): string {
    const fields = this.fieldViolations.map(({ field, description }) => `${field}: ${description}`);
    // Servers say it in their message, too.
    const told = fields.filter((text) => !this.message.includes(text));
    return [`${this.reason || this.code}: ${this.message}`, ...told].join("; ");
  }

  /** A value of the metadata; empty where there is none. */
  protected text(key: string): string {
    return this.metadata[key] ?? "";
  }

  /** A number of the metadata; undefined where there is none. */
  protected number(key: string): number | undefined {
    const whole = this.bigint(key);
    return whole === undefined ? undefined : Number(whole);
  }

  /** A number of 64 bits of the metadata; undefined where there is none. */
  protected bigint(key: string): bigint | undefined {
    const text = this.text(key);
    return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
  }
}

/** A class of errors. */
export type ErrorClass = new (failure: Failure) => CamilloError;
