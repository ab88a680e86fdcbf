import type { Warning } from "@yagate/protocol";
import type { ExpectedCredential } from "@yagate/tool-definitions/checks/credential-warnings";

/** Finds warnings about a toolkit's credential; `null` if it has none. */
export type ToolkitWarnings = (
  workspaceId: string,
  credential: string | null,
  expected?: ExpectedCredential,
) => Promise<readonly Warning[]>;

/** A saved object with its warnings; without the field if there are none. */
export function withWarnings<Saved extends object>(
  saved: Saved,
  warnings: readonly Warning[],
): Saved & { warnings?: Warning[] } {
  return warnings.length === 0 ? saved : { ...saved, warnings: [...warnings] };
}
