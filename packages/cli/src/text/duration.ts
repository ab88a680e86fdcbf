/** Formats a duration by its two largest units, such as `3 h 12 min`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return "0 s";
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

/** Formats how long something took: `23 ms`, `1.2 s`, and from a minute on by its two largest units. */
export function elapsed(ms: number): string {
  if (ms >= 59_950) return duration(ms);
  return ms >= 999.5 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms)} ms`;
}
