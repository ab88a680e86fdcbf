import { YagateError } from "@yagate/protocol";
import type { ToolSourceRow } from "@yagate/store/port";
import { compilePublished } from "@yagate/tool-sources/plan-sync";
import type { ToolDefinitionVersion } from "@yagate/tool-sources/port";
import { checkOptions } from "./check-tools.ts";
import { type FetchDefinitions, type FetchedDefinitions, SYNC_TIMEOUT_MS } from "./port.ts";

/** What a source publishes, compiled with its settings. */
export interface PublishedTools extends Pick<FetchedDefinitions, "documentSummary" | "info"> {
  readonly published: readonly ToolDefinitionVersion[];
  readonly skippedTools: NonNullable<FetchedDefinitions["skippedTools"]>;
}

/** The functions that read the definitions of each kind of source. */
export type Fetchers = { readonly [Kind in ToolSourceRow["kind"]]: FetchDefinitions<Kind> };

/**
 * Reads what a source publishes, within the time of a sync.
 *
 * @throws YagateError as `FetchDefinitions`; `MANIFEST_INVALID`, in addition, if an override does not fit its tool.
 */
export type ReadSource = (
  source: Pick<ToolSourceRow, "workspaceId" | "id" | "name" | "settings">,
  signal: AbortSignal,
) => Promise<PublishedTools>;

export function createReadSource(fetchers: Fetchers): ReadSource {
  function fetchDefinitions(
    { settings, id, workspaceId }: Parameters<ReadSource>[0],
    signal: AbortSignal,
  ): Promise<FetchedDefinitions> {
    const source = { id, workspaceId };
    switch (settings.kind) {
      case "handler":
        return fetchers.handler({ ...source, settings }, { signal });
      case "mcp":
        return fetchers.mcp({ ...source, settings }, { signal });
      case "openapi":
        return fetchers.openapi({ ...source, settings }, { signal });
    }
  }

  return async (source, outer) => {
    const { name, settings } = source;
    const signal = AbortSignal.any([outer, AbortSignal.timeout(SYNC_TIMEOUT_MS)]);
    const { definitions, skippedTools = [], ...rest } = await fetchDefinitions(source, signal);
    const published = compilePublished(definitions, { name, ...settings });
    const [fault] = checkOptions(published, settings.overrides);
    if (fault === undefined) return { published, skippedTools, ...rest };
    throw new YagateError("MANIFEST_INVALID", `the source's ${fault.path} does not fit its tools: ${fault.message}`);
  };
}
