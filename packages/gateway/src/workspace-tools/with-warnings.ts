import type { Warning } from "@yagate/protocol";
import type { ExpectedCredential } from "@yagate/tool-definitions/checks/credential-warnings";

/** Finds warnings about a toolkit's credential. The credential is null if the toolkit has none. */
export type ToolkitWarnings = (
  workspaceId: string,
  credential: string | null,
  expected?: ExpectedCredential,
) => Promise<readonly Warning[]>;

/** Adds the field `warnings` to a saved object if there are any. */
export function withWarnings<Saved extends object>(
  saved: Saved,
  warnings: readonly Warning[],
): Saved & { warnings?: Warning[] } {
  return warnings.length === 0 ? saved : { ...saved, warnings: [...warnings] };
}
