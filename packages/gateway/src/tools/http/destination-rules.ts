import { WEBHOOK_INTEGRATION } from "@yagate/protocol";
import { withoutBrackets } from "../../egress/domain-list.ts";
import {
  type ApprovedDestinations,
  createDestinationCheck,
  type DestinationCheck,
  type DestinationCheckOptions,
} from "../../egress/index.ts";
import type { ToolFailure } from "../port.ts";
import { refused } from "./network-failures.ts";
import type { NetworkAgent, NetworkTool } from "./network-tool.ts";
import type { NetworkServices } from "./services.ts";

/** Why a tool may send no webhook to this URL: whether the agent may at all, and its host. Undefined: it may. */
export function webhookRefusal(
  { destination }: NetworkTool,
  { integrations, webhookUrls }: NetworkAgent,
  url: string,
): { readonly failure: ToolFailure } | undefined {
  if (destination !== "webhooks") return undefined;
  if (!integrations.includes(WEBHOOK_INTEGRATION)) {
    return refused("WEBHOOK_NOT_ENABLED", 'this agent may send no webhooks: its integrations lack "webhook"');
  }
  const host = URL.parse(url)?.hostname;
  if (host !== undefined && webhookUrls.some((registered) => URL.parse(registered)?.hostname === host))
    return undefined;
  const registered = webhookUrls.length === 0 ? "none" : webhookUrls.join(", ");
  return refused(
    "WEBHOOK_NOT_REGISTERED",
    `expected a URL on the host of a registered webhook; registered: ${registered}`,
  );
}

/** What of a tool's requests is approved, by the text of their URL alone. */
export async function destinationCheck(
  tool: NetworkTool,
  agent: NetworkAgent,
  { workspaceId, url }: { readonly workspaceId: string; readonly url: string },
  { integrations, ports, hasOpenedNetworks }: NetworkServices,
): Promise<DestinationCheck> {
  const options = { ports, hasOpenedNetworks };
  switch (tool.destination) {
    case "integrations":
      return createDestinationCheck(await integrations.enabled(workspaceId, agent.integrations), options);
    case "webhooks":
      return createDestinationCheck(agent.webhookUrls.map(registeredDestination), options);
    case "author":
      return ownHostCheck(url, options);
  }
}

/** The author wrote the host down, so that only the port is left to judge; a host that is none is refused as such. */
function ownHostCheck(url: string, options: DestinationCheckOptions): DestinationCheck {
  const host = URL.parse(url)?.hostname;
  try {
    return createDestinationCheck(host === undefined ? [] : [{ allowedDomains: [withoutBrackets(host)] }], options);
  } catch {
    return createDestinationCheck([], options);
  }
}

/** The host of a webhook URL, on the port that it names. */
function registeredDestination(registered: string): ApprovedDestinations {
  const { hostname, port } = new URL(registered);
  return { allowedDomains: [withoutBrackets(hostname)], ...(port === "" ? {} : { ports: [Number(port)] }) };
}
