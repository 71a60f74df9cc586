// Castagnoli's polynomial, its bits reversed.
const POLYNOMIAL = 0x82f63b78;
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => remainder(byte));

/** The CRC-32C of bytes that follow those of which `crc` is the CRC-32C; 0 for none. */
export function crc32c(bytes: Uint8Array, crc = 0): number {
  let value = ~crc;
  for (const byte of bytes) {
    value = (TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  }
  return ~value >>> 0;
}

function remainder(byte: number): number {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  }
  return value >>> 0;
}
