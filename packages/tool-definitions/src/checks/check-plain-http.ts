import { strictFamily } from "@yagate/lib/hosts/address-family";
import { hostNameOf, isLocalhost } from "@yagate/lib/hosts/host-name";
import { type Agent, type CompleteToolDefinition, isComposedTool, isHandlerTool, isRestTool } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import { fixedOrigin } from "../placeholders/url-template.ts";

/**
 * Warns about http URLs that contain a host name, because its address is known only when a call is sent. URLs that
 * contain an address are checked when the agent is saved. A gateway without allowlisted networks rejects all http URLs.
 *
 * @param tools - all tools of the agent, in order.
 */
export function checkPlainHttp(
  { webhookUrls }: Pick<Agent, "webhookUrls">,
  tools: readonly CompleteToolDefinition[],
): readonly AgentFinding[] {
  const authored = [
    ...tools.flatMap((tool, index) => urlOf(tool, `tools[${index}]`)),
    ...webhookUrls.map((url, index) => ({ path: `webhookUrls[${index}]`, url })),
  ];
  return authored.flatMap(({ path, url }) => {
    const name = plainHttpName(url);
    if (name === undefined) return [];
    const message =
      `http is allowed only to addresses in the operator's allowlisted networks; the address of ${name} is ` +
      "checked in each call: use https unless the address is in one of these networks";
    return [{ severity: "warning", path, code: "HTTP_ONLY_IN_ALLOWLISTED_NETWORKS", message }];
  });
}

interface AuthoredUrl {
  readonly path: string;
  readonly url: string;
}

function urlOf(tool: CompleteToolDefinition, path: string): readonly AuthoredUrl[] {
  if (isHandlerTool(tool)) return [{ path: `${path}.handler`, url: tool.handler }];
  if (isRestTool(tool)) return [{ path: `${path}.rest.url`, url: fixedOrigin(tool.rest.url) ?? "" }];
  if (!isComposedTool(tool)) return [];
  const { primitive, args } = tool.implementation;
  if (primitive !== "http_request" && primitive !== "webhook") return [];
  return [{ path: `${path}.implementation.args.url`, url: fixedOrigin(args["url"]) ?? "" }];
}

function plainHttpName(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "http:") return undefined;
  const host = hostNameOf(url);
  return strictFamily(host) !== 0 || isLocalhost(host) ? undefined : host;
}
