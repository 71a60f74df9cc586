import {
  createRegistry,
  type DescFile,
  type DescMethod,
  type DescService,
  type Registry,
} from "@bufbuild/protobuf";
import { file_google_rpc_error_details } from "./generated/google/rpc/error_details_pb.js";
import { file_google_rpc_status } from "./generated/google/rpc/status_pb.js";
import * as v1 from "./v1.js";

/** Every type of the contract and of its errors, for JSON that names types. */
export const registry: Registry = createRegistry(
  ...Object.values(v1).filter(isFile),
  file_google_rpc_status,
  file_google_rpc_error_details,
);

/** The services of the contract. */
export const services: readonly DescService[] = [...registry].filter(
  (type) => type.kind === "service",
);

/** The method of a full name such as `camillo.v1.MemoryService/Remember`; undefined where there is none. */
export function findMethod(name: string): DescMethod | undefined {
  const [service = "", method = ""] = name.replace(/^\//, "").split("/");
  return registry.getService(service)?.methods.find((known) => known.name === method);
}

function isFile(value: unknown): value is DescFile {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "file";
}
