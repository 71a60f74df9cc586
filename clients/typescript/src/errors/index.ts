export {
  CamilloError,
  type ErrorClass,
  type Failure,
  type FieldViolation,
} from "./camillo-error.js";
export * from "./groups.js";
export * from "./not-found.js";
export * from "./preconditions.js";
export * from "./requests.js";
export type { StatusCode } from "./status-code.js";
