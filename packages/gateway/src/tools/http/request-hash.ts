import { createHash } from "node:crypto";
import type { ToolCall } from "../port.ts";
import type { NetworkTool } from "./network-tool.ts";
import type { WireRequest } from "./wire-request.ts";

/** The hash of what a call would send: the request without secrets, their names, and the tool's own version. */
export function hashOfRequest(tool: NetworkTool, call: ToolCall, request: WireRequest): string {
  const { method, url, headers, body = null } = request;
  const secrets = [tool.credentialOf(call.parameters) ?? null, [...tool.template.secretNames]];
  const rendered = JSON.stringify([tool.name, call.toolCallId, method, url, headers, body, secrets, tool.version]);
  return `sha256:${createHash("sha256").update(rendered).digest("hex")}`;
}
