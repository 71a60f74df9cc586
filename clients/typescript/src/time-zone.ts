const UTC = new Set(["UTC", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "Etc/GMT"]);

/** The machine's time zone, in which a question's days begin and end; empty for UTC, which the server takes where none is named. */
export function localTimeZone(): string {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  return UTC.has(name) ? "" : name;
}
