import type { ToolSourceRow } from "@yagate/store/port";
import type { RawTool } from "@yagate/tool-sources/port";

/** What a source published. */
export interface FetchedDefinitions {
  readonly definitions: readonly RawTool[];
}

/**
 * Reads the definitions that a source publishes, at most once. There is one such function per kind of source.
 *
 * @throws YagateError `SOURCE_UNREACHABLE`, `SOURCE_UNAUTHORIZED`, `INVALID_RESPONSE_SIGNATURE` or `MANIFEST_INVALID`.
 */
export type FetchDefinitions = (
  source: Pick<ToolSourceRow, "workspaceId" | "settings">,
  context: { readonly signal: AbortSignal },
) => Promise<FetchedDefinitions>;

/** Maximum duration of one sync in ms. */
export const SYNC_TIMEOUT_MS = 30_000;

/** Time in ms after which another process may sync a source whose sync did not end. */
export const SYNC_LEASE_MS = 2 * SYNC_TIMEOUT_MS;
