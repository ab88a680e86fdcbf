import { strictFamily } from "@yagate/lib/hosts/address-family";
import { hostNameOf, isLocalhost } from "@yagate/lib/hosts/host-name";
import { type Agent, type CompleteToolDefinition, isComposedTool, isHandlerTool, isRestTool } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import { fixedOrigin } from "../placeholders/url-template.ts";

/**
 * Warns of what is to be called over http by a name: what the name stands for is known at the call only. Addresses are
 * judged when the agent is saved, and a gateway that opens no network refuses all of http.
 *
 * @param tools - all of the agent, in its order.
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
      `http is allowed only to addresses inside the networks that the operator opened, and whether ${name} has one is ` +
      "seen at each call; write https unless it has";
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
