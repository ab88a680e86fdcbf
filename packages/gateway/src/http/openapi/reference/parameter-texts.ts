import type { PropertyTexts } from "./text.ts";

/** Parameters of the path and the query; those of one operation begin with its name. */
export const PARAMETER_TEXTS: PropertyTexts = {
  id: { text: "Id of the resource.", example: "exec_01m7yj864ke00brb1mkxjenfhm" },
  name: { text: "Name of the resource.", example: "shop" },
  workspaceId: {
    text: "The workspace. Operators may name another than their own.",
    example: "ws_01m7yj864ke00brb1mkxjenfhm",
  },
  limit: { text: "Items of a page. Default 50.", example: 50 },
  cursor: { text: "`nextCursor` of the page before.", example: "exec_01m7yj864ke00brb1mkxjenfhm" },
  "getReceipt.format": "Form of the receipt. Wins over the header `Accept`.",
  "listApprovals.status": "Only approvals of this status.",
  "listTools.status": "Only tools of this status.",
  "listTools.name": { text: "Only the tool of this name.", example: "lookup_order" },
  "listTools.kind": "Only tools of this kind.",
  "listTools.toolkitId": "Only tools of this toolkit.",
  "deleteToolkit.tools": "`archive`: tools that are not `created` are archived too. Default `keep`.",
  "listAuditEntries.limit": {
    text: "Items of a page, default 50; without it, an export has every entry of the range.",
    example: 50,
  },
  action: { text: "Only entries of this action.", example: "agent.updated" },
  resourceType: { text: "Only entries about this kind of resource.", example: "agent" },
  resourceId: { text: "Only entries about this resource.", example: "agt_01m7yj864ke00brb1mkxjenfhm" },
  keyId: { text: "Only entries of this API key.", example: "key_01m7yj864ke00brb1mkxjenfhm" },
  since: "Only items from this moment on.",
  until: "Only items before this moment.",
  offset: { text: "Where the piece begins, in characters. Default 0.", example: 0 },
  length: { text: "Characters of the piece. Default 65,536.", example: 65_536 },
  path: { text: "A JSON path (RFC 9535 without filters).", example: "$.items[0:10].name" },
  "Idempotency-Key": { text: "", example: "order-17" },
  Prefer: { text: "", example: "wait=20" },
  "Last-Event-ID": { text: "", example: "4" },
  traceparent: { text: "", example: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" },
  tracestate: { text: "", example: "vendor=1" },
  "X-YA-Signature": { text: "", example: `sha256=${"0".repeat(64)}` },
};
