import type { PropertyTexts } from "./text.ts";

/**
 * Descriptions of path, query and header parameters. A key that begins with an operation's name applies to that
 * operation only.
 */
export const PARAMETER_TEXTS: PropertyTexts = {
  id: { text: "Id of the resource.", example: "exec_01m7yj864ke00brb1mkxjenfhm" },
  name: { text: "Name of the resource.", example: "shop" },
  workspaceId: {
    text: "The workspace. An operator may specify any workspace. Default: the workspace of the API key.",
    example: "ws_01m7yj864ke00brb1mkxjenfhm",
  },
  limit: { text: "Maximum number of items per page. Default 50.", example: 50 },
  cursor: { text: "`nextCursor` of the previous page.", example: "exec_01m7yj864ke00brb1mkxjenfhm" },
  "getReceipt.format": "Format of the receipt. Takes precedence over the `Accept` header.",
  "listExecutions.status": "Returns only executions with this status.",
  "listExecutions.agent": "Returns only executions of this agent.",
  "listExecutions.code": { text: "Returns only executions that failed with this error code.", example: "MODEL_ERROR" },
  "listExecutions.stopReason": {
    text: "Returns only executions that ended for this reason, such as `truncated` or the name of a limit.",
    example: "maxTotalTokens",
  },
  "listExecutions.mode": {
    text: "`recorded`: returns only executions that sent nothing, because they used a recording. `live`: only the others.",
    example: "recorded",
  },
  "listExecutions.tool": {
    text: "Returns only executions that have called the tool with this name. A call is included at most 2 seconds after the model requested it.",
    example: "lookup_order",
  },
  "findToolCalls.status": "Returns only calls with this status.",
  "findToolCalls.tool": { text: "Returns only calls to the tool with this name.", example: "lookup_order" },
  "findToolCalls.code": { text: "Returns only calls with this error code.", example: "TIMEOUT" },
  "getMetricSeries.range": "The range: `1h` in steps of 5 minutes, `24h` (default) or `7d` in steps of an hour.",
  "getMetricSeries.metric": "Returns only this metric. Default: all metrics.",
  include: {
    text: "What else the response contains, separated by commas: `input`, `caller`, `metadata`.",
    example: "input,metadata",
  },
  "getCapability.key": { text: "Key of the capability.", example: "mcp.firecrawl_search" },
  "updateCapability.key": { text: "Key of the capability.", example: "mcp.firecrawl_search" },
  "deleteCapability.key": { text: "Key of the capability.", example: "mcp.firecrawl_search" },
  "listApprovals.status": "Returns only approvals with this status.",
  "listInputRequests.status": "Returns only input requests with this status.",
  "listTools.status": "Returns only tools with this status.",
  "listTools.name": { text: "Returns only the tool with this name.", example: "lookup_order" },
  "listTools.kind": "Returns only tools of this kind.",
  "listTools.toolkitId": "Returns only tools of this toolkit.",
  "deleteToolkit.tools":
    "What happens to the toolkit's tools. `archive`: tools that are not yet `created` are archived. `keep` (default): all tools are kept.",
  "deleteToolSource.force": "Whether the source is deleted even if agents refer to it. Default false.",
  "listAuditEntries.limit": {
    text: "Maximum number of items per page. Default 50. An export as JSON lines without a limit contains every entry in the range.",
    example: 50,
  },
  action: { text: "Returns only entries with this action.", example: "agent.updated" },
  resourceType: { text: "Returns only entries about this type of resource.", example: "agent" },
  resourceId: { text: "Returns only entries about this resource.", example: "agt_01m7yj864ke00brb1mkxjenfhm" },
  keyId: {
    text: "Returns only entries for changes that this API key made.",
    example: "key_01m7yj864ke00brb1mkxjenfhm",
  },
  since: "Returns only items from this time or later.",
  until: "Returns only items from before this time.",
  offset: { text: "Offset of the first character to return. Default 0.", example: 0 },
  length: { text: "Maximum number of characters to return. Default 65,536.", example: 65_536 },
  path: { text: "A JSON path (RFC 9535, without filters).", example: "$.items[0:10].name" },
  "Idempotency-Key": { text: "", example: "order-17" },
  Prefer: { text: "", example: "wait=20" },
  "Last-Event-ID": { text: "", example: "4" },
  traceparent: { text: "", example: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" },
  tracestate: { text: "", example: "vendor=1" },
  "X-YA-Signature": { text: "", example: `sha256=${"0".repeat(64)}` },
};
