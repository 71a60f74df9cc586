import { FailedPrecondition } from "./groups.js";

/** Something that has to cite its sources cites none. */
export class ProvenanceRequired extends FailedPrecondition {}

/** A value that was forgotten in this scope is being stated again, in `field`; LiftValueBlocks allows it. */
export class ValueRejected extends FailedPrecondition {
  get field(): string {
    return this.text("field");
  }
}

/** The name of what is to be emptied was not typed out. */
export class ConfirmationRequired extends FailedPrecondition {}

/** The compaction is `state`, and not in one for what was asked of it. */
export class CompactionInWrongState extends FailedPrecondition {
  get state(): string {
    return this.text("state");
  }
}

/** The server has no model that is to serve next. */
export class NoNextModel extends FailedPrecondition {}

/** No profiler is installed beside the server, or it may not look into it; the message says which. */
export class ProfilerUnavailable extends FailedPrecondition {}

/** Lines or pages of text are asked of what is no text that has lines. */
export class NotText extends FailedPrecondition {}

/** The bytes cannot be read as the document that they are said to be, or have more of something than the server reads. */
export class DocumentUnreadable extends FailedPrecondition {
  /** `not_text`, `damaged`, `encrypted`, `too_large` and so on. */
  get why(): string {
    return this.text("why");
  }

  /** The most that the server reads, where it is that. */
  get limit(): number | undefined {
    return this.number("limit");
  }
}

/** A JSON value is asked of what is not one JSON document. */
export class NotJson extends FailedPrecondition {}

/** The server lacks the encryption key `keyId`; empty where it has no key at all. */
export class KeyMissing extends FailedPrecondition {
  get keyId(): string {
    return this.text("key_id");
  }
}

/** `ref`, which is cited, names nothing that the caller may see. */
export class RefNotFound extends FailedPrecondition {
  get ref(): string {
    return this.text("ref");
  }
}

/** A decision would take its own place. */
export class DecisionCycle extends FailedPrecondition {}

/** `memories` (records of any kind) would go, and without the plan token of a dry run only `allowed` go. */
export class PlanRequired extends FailedPrecondition {
  get memories(): number | undefined {
    return this.number("memories");
  }

  get allowed(): number | undefined {
    return this.number("allowed");
  }
}

/** `ref` is too sensitive for another agent. */
export class NotShareable extends FailedPrecondition {
  get ref(): string {
    return this.text("ref");
  }
}

/** The part that may not be cut takes `neededTokens`, more than the budget. */
export class BudgetTooSmall extends FailedPrecondition {
  get maxTokens(): number | undefined {
    return this.number("max_tokens");
  }

  get neededTokens(): number | undefined {
    return this.number("needed_tokens");
  }

  /** The parts that may not be cut, in tokens, by section. */
  get sections(): Record<string, number> {
    const told = this.text("sections").matchAll(/([^,=]+)=\s*(\d+)\s*(?:,|$)/g);
    return Object.fromEntries(
      [...told].map(([, name = "", tokens]) => [name.trim(), Number(tokens)]),
    );
  }
}

/** The distillation is `state`, in which this call is not possible. */
export class DistillationInWrongState extends FailedPrecondition {
  get state(): string {
    return this.text("state");
  }
}

/** The proposal is `state`, in which this call is not possible. */
export class ProposalInWrongState extends FailedPrecondition {
  get state(): string {
    return this.text("state");
  }
}

/** No model may be asked about this space. */
export class DistillationOff extends FailedPrecondition {}
