import { RANGES, toQuery } from "../../api/executions.ts";
import { toUrl } from "../../api/request.ts";
import { shellWord } from "../../parts/shell-word.ts";
import type { SearchParams } from "../../shell/search-params.ts";

/** Returns the command that lists the same executions. */
export function listCommand({ status, agent, code, tool, range, metadata }: SearchParams): string {
  const options = [
    ["--status", status],
    ["--agent", agent],
    ["--code", code],
    ["--tool", tool],
    ["--since", range !== undefined && Object.hasOwn(RANGES, range) ? range : undefined],
    ["--metadata", metadata?.includes("=") === true ? metadata : undefined],
  ].flatMap(([name, value]) => (value === undefined || value === "" ? [] : [`${name} ${shellWord(value)}`]));
  return ["yagate executions list", ...options].join(" ");
}

/** Returns the request that lists the same executions. */
export function listCurl(search: SearchParams): string {
  return `curl -s ${shellWord(toUrl("v1/executions", toQuery(search, Date.now())).href)} -H "Authorization: Bearer $YAGATE_API_KEY"`;
}
