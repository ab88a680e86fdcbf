import type { Warning } from "@yagate/protocol";

/** What was saved, with what its author will want to know of it; without the field where there is nothing. */
export function withWarnings<Saved extends object>(
  saved: Saved,
  warnings: readonly Warning[],
): Saved & { warnings?: Warning[] } {
  return warnings.length === 0 ? saved : { ...saved, warnings: [...warnings] };
}
