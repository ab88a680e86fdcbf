import type { SkippedTool, ToolSourceSettings } from "@yagate/protocol";
import type { RawTool } from "@yagate/tool-sources/port";

/** What a source published. */
export interface FetchedDefinitions {
  readonly definitions: readonly RawTool[];
  /** The tools that cannot be used, for a kind of source whose other tools are used nevertheless. Default: none. */
  readonly skippedTools?: readonly SkippedTool[];
  readonly info?: SourceInfo;
  /** What to store about the document that was read, as JSON; absent for sources of handlers and MCP servers, which have no document. */
  readonly documentSummary?: string;
}

/** What a source says about itself. Nothing in it has been checked. */
export interface SourceInfo {
  /**
   * The revision of the protocol: of the manifest, such as `1`, or of MCP, such as `2026-07-28`; for an OpenAPI document,
   * its title.
   */
  readonly revision?: string;
  /** What generated the schemas, such as `zod 4.6.7`. */
  readonly generator?: string;
}

/** A source of one kind. */
export interface SourceOfKind<Kind extends ToolSourceSettings["kind"]> {
  readonly id: string;
  readonly workspaceId: string;
  readonly settings: Extract<ToolSourceSettings, { kind: Kind }>;
}

/**
 * Reads the definitions that a source publishes, at most once, and checks that they can be used. There is one such
 * function per kind of source.
 *
 * @throws YagateError `SOURCE_UNREACHABLE`, `SOURCE_UNAUTHORIZED`, `INVALID_RESPONSE_SIGNATURE` or `MANIFEST_INVALID`.
 */
export type FetchDefinitions<Kind extends ToolSourceSettings["kind"]> = (
  source: SourceOfKind<Kind>,
  context: { readonly signal: AbortSignal },
) => Promise<FetchedDefinitions>;

/** Maximum duration of one sync in ms. */
export const SYNC_TIMEOUT_MS = 30_000;

/** Time in ms after which another process may sync a source whose sync did not end. */
export const SYNC_LEASE_MS = 2 * SYNC_TIMEOUT_MS + 5_000;

/**
 * Minimum time in ms from the start of a read of a source to a sync that an unknown tool causes. It is shorter than the
 * lease, so that the outcome of a read shows whether a sync was requested in the meantime.
 */
export const UNKNOWN_TOOL_SPACING_MS = 60_000;
