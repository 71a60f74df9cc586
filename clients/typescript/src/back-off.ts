const FIRST_MS = 100;
const MAX_MS = 5_000;
const MAX_ASKED_SECONDS = 60;

/** Whether a server asks for a pause that a stream can be held up for: it has no deadline, but its caller may. */
export function isWorthWaiting(askedSeconds: number | undefined): boolean {
  return askedSeconds === undefined || askedSeconds <= MAX_ASKED_SECONDS;
}

/** Milliseconds to wait after so many failures in a row: what the server asked for, else twice as long after each. */
export function backOff(failures: number, askedSeconds?: number): number {
  if (askedSeconds !== undefined) {
    return askedSeconds * 1000;
  }
  const longest = Math.min(MAX_MS, FIRST_MS * 2 ** (failures - 1));
  return longest * (0.5 + Math.random() / 2);
}
