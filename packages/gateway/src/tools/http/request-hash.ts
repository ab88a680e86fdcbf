import { createHash } from "node:crypto";
import { canonicalJson } from "@yagate/protocol";
import type { ToolCall } from "../port.ts";
import type { ShownRequest } from "./masked-request.ts";
import type { NetworkTool } from "./network-tool.ts";

/** The hash of what a call would send: the request as people see it, its secrets and how they go along, and the tool's own version. */
export function hashOfRequest(tool: NetworkTool, call: ToolCall, { request, credential }: ShownRequest): string {
  const { method, url, headers, body = null } = request;
  const along = credential === undefined ? null : [credential.name, canonicalJson(credential.auth)];
  const secrets = [along, [...tool.template.secretNames]];
  const rendered = JSON.stringify([tool.name, call.toolCallId, method, url, headers, body, secrets, tool.version]);
  return `sha256:${createHash("sha256").update(rendered).digest("hex")}`;
}
