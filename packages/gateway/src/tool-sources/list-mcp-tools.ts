import { defined } from "@yagate/lib/objects/defined";
import { createRedaction } from "@yagate/lib/redaction/redaction";
import { listMcpTools } from "@yagate/mcp/client/list-tools";
import type { ListedMcpTool } from "@yagate/mcp/client/port";
import { YagateError } from "@yagate/protocol";
import { hintedEffect } from "@yagate/tool-sources/mcp-hints";
import type { RawTool } from "@yagate/tool-sources/port";
import type { OpenEndpoint } from "../mcp-calls/endpoint.ts";
import type { EraVerdicts } from "../mcp-calls/era-verdicts.ts";
import { separateUnusable } from "./check-tools.ts";
import { type FetchDefinitions, SYNC_TIMEOUT_MS } from "./port.ts";
import { toSkippedTools } from "./skipped-tools.ts";

/** The newest revisions of the protocol that servers of each era support. */
const REVISIONS = { modern: "2026-07-28", legacy: "2025-11-25 or earlier" } as const;

export interface ListMcpToolsOptions {
  readonly openEndpoint: OpenEndpoint;
  readonly verdicts: EraVerdicts;
}

/** Creates the function that lists the tools of an MCP server. */
export function createListMcpTools({ openEndpoint, verdicts }: ListMcpToolsOptions): FetchDefinitions<"mcp"> {
  return async ({ id, workspaceId, settings }, { signal }) => {
    const opened = await openEndpoint({ workspaceId, sourceId: id }, settings);
    if ("failure" in opened) {
      if (opened.cause !== undefined) throw opened.cause;
      throw new YagateError("SOURCE_UNAUTHORIZED", opened.failure.message, {
        hint: "check that the secret exists, and that its hosts include that of the URL",
      });
    }
    const { endpoint, eraKey, valuesToRedact } = opened;
    const redactionNow = () => createRedaction(valuesToRedact);
    const verdict = await verdicts.find(eraKey);
    const listing = await listMcpTools(endpoint, { verdict, signal, timeoutMs: SYNC_TIMEOUT_MS, redactionNow });
    await verdicts.note(eraKey, listing.verdict, { used: verdict, redaction: redactionNow() });
    const { usable, skipped } = await separateUnusable(listing.tools.map(toRawTool));
    return {
      definitions: usable,
      skippedTools: toSkippedTools([...listing.skipped, ...skipped]),
      info: defined({ revision: listing.verdict && REVISIONS[listing.verdict.kind] }),
    };
  };
}

function toRawTool({ annotations, ...tool }: ListedMcpTool): RawTool {
  return { ...tool, ...defined({ annotations }), ...(annotations === undefined ? {} : hintedEffect(annotations)) };
}
