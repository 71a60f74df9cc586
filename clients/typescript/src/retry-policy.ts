import type { DescMethod } from "@bufbuild/protobuf";
import type { StatusCode } from "./errors/status-code.js";
import { SERVICE_CONFIG } from "./service-config.js";

interface PolicyConfig {
  readonly maxAttempts: number;
  readonly initialBackoff: string;
  readonly maxBackoff: string;
  readonly backoffMultiplier: number;
  readonly retryableStatusCodes: readonly StatusCode[];
}

interface MethodConfig {
  readonly name: readonly { readonly service: string; readonly method?: string }[];
  readonly retryPolicy?: PolicyConfig;
}

/** Holds what of gRPC's service config counts here. */
export interface ServiceConfig {
  readonly methodConfig: readonly MethodConfig[];
}

/** How often a call is tried again, and when. */
export interface RetryPolicy {
  /** The first attempt among them. */
  readonly maxAttempts: number;
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  readonly backoffMultiplier: number;
  readonly codes: readonly StatusCode[];
}

/** The policies of gRPC's service config, by method. */
export class RetryPolicies {
  readonly #byMethod = new Map<string, RetryPolicy>();

  constructor(config: ServiceConfig) {
    for (const { name, retryPolicy } of config.methodConfig) {
      if (retryPolicy) {
        this.#add(name, policyOf(retryPolicy));
      }
    }
  }

  /** The policy of a method; undefined where it is tried once. */
  of(method: DescMethod): RetryPolicy | undefined {
    const service = method.parent.typeName;
    return this.#byMethod.get(`${service}/${method.name}`) ?? this.#byMethod.get(`${service}/`);
  }

  #add(names: MethodConfig["name"], policy: RetryPolicy): void {
    for (const { service, method = "" } of names) {
      this.#byMethod.set(`${service}/${method}`, policy);
    }
  }
}

/** The policies that come with this client: the same for clients in every language. */
export function ownPolicies(): RetryPolicies {
  return new RetryPolicies(SERVICE_CONFIG);
}

function policyOf(config: PolicyConfig): RetryPolicy {
  return {
    maxAttempts: config.maxAttempts,
    initialBackoffMs: milliseconds(config.initialBackoff),
    maxBackoffMs: milliseconds(config.maxBackoff),
    backoffMultiplier: config.backoffMultiplier,
    codes: config.retryableStatusCodes,
  };
}

/** Reads a duration in protobuf's JSON form, such as `0.1s`. */
function milliseconds(duration: string): number {
  return Number(duration.replace(/s$/, "")) * 1000;
}
