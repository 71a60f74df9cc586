import { crc32c } from "./crc32c.js";
import { BytesDamaged } from "./errors/requests.js";
import type {
  ReadArtifactRequest,
  ReadArtifactResponse,
} from "./generated/camillo/v1/artifact_service_pb.js";

/** Follows the messages of a read, over all calls that it takes: the bytes are those that the server read. */
export class RangeCheck {
  #takenBytes = 0;
  #crc32c = 0;
  #rangeBytes = 0n;
  #end: bigint | undefined;

  /** BytesDamaged if the bytes so far are not those that the server counted. */
  take(message: ReadArtifactResponse): void {
    const crc = crc32c(message.data, this.#crc32c);
    const end = message.offset + BigInt(message.data.length);
    if (this.#end !== undefined && message.offset !== this.#end) {
      throw damaged(`bytes from ${message.offset} on follow those before ${this.#end}`);
    }
    if (crc !== message.crc32c) {
      throw damaged(`checksum differs in the bytes before ${end}`);
    }
    this.#crc32c = crc;
    this.#end = end;
    this.#rangeBytes = message.rangeBytes;
    this.#takenBytes += message.data.length;
  }

  /** Whether every byte of the range has come. The length of a part by JSON pointer is not known beforehand. */
  get hasAll(): boolean {
    return this.#rangeBytes > 0n && BigInt(this.#takenBytes) === this.#rangeBytes;
  }

  /** BytesDamaged if there should have been more. */
  end(): void {
    if (this.#rangeBytes !== 0n && !this.hasAll) {
      throw damaged(`${this.#takenBytes} bytes came of ${this.#rangeBytes}`);
    }
  }

  /** Asks for what has not come yet. */
  goOn(request: ReadArtifactRequest): void {
    request.resumeAfterBytes = BigInt(this.#takenBytes);
    request.resumeCrc32c = this.#crc32c;
  }
}

function damaged(message: string): BytesDamaged {
  return new BytesDamaged({ code: "DATA_LOSS", message });
}
