const FIRST_MS = 100;
const MAX_MS = 5_000;

/** Milliseconds to wait after so many failures in a row: what the server asked for, else twice as long after each. */
export function backOff(failures: number, askedSeconds?: number): number {
  if (askedSeconds !== undefined) {
    return askedSeconds * 1000;
  }
  const longest = Math.min(MAX_MS, FIRST_MS * 2 ** (failures - 1));
  return longest * (0.5 + Math.random() / 2);
}
