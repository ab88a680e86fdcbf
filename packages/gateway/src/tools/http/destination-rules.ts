import { refused } from "@yagate/calls/failure";
import { createDestinationCheck, type DestinationCheck, type DestinationCheckOptions } from "@yagate/egress";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { defined } from "@yagate/lib/objects/defined";
import { WEBHOOK_INTEGRATION } from "@yagate/protocol";
import type { NetworkAgent, NetworkTool } from "./network-tool.ts";
import type { NetworkServices } from "./services.ts";

/** Returns a failure if the tool sends webhooks but the agent may not send any; otherwise undefined. */
export function webhooksRefusal(
  { destination }: NetworkTool,
  { integrations }: NetworkAgent,
): { readonly failure: Failure } | undefined {
  if (destination !== "webhooks" || integrations.includes(WEBHOOK_INTEGRATION)) return undefined;
  return refused("WEBHOOK_NOT_ENABLED", 'this agent may not send webhooks: its integrations do not include "webhook"');
}

/**
 * Returns a failure if the tool sends webhooks and no registered webhook has the host of this URL; otherwise undefined.
 */
export function webhookHostRefusal(
  { destination }: NetworkTool,
  { webhookUrls }: NetworkAgent,
  url: string,
): { readonly failure: Failure } | undefined {
  if (destination !== "webhooks") return undefined;
  const host = URL.parse(url)?.hostname;
  if (host !== undefined && webhookUrls.some((registered) => URL.parse(registered)?.hostname === host))
    return undefined;
  const registered = webhookUrls.length === 0 ? "none" : webhookUrls.join(", ");
  return refused(
    "WEBHOOK_NOT_REGISTERED",
    `expected a URL on the host of a registered webhook; registered: ${registered}`,
  );
}

/** Creates the check for the destination of a request. The check uses only the text of the request's URL. */
export async function destinationCheck(
  tool: NetworkTool,
  agent: NetworkAgent,
  { workspaceId, url }: { readonly workspaceId: string; readonly url: string },
  { integrations, ports, egressOf }: NetworkServices,
): Promise<DestinationCheck> {
  const { hasOpenedNetworks, isOpened } = egressOf(workspaceId);
  const options = { ports, hasOpenedNetworks, isOpened };
  switch (tool.destination) {
    case "integrations":
      return createDestinationCheck(await integrations.enabled(workspaceId, agent.integrations), options);
    case "webhooks":
      return createDestinationCheck(
        agent.webhookUrls.map((registered) => authoredDestination(registered, options)),
        options,
      );
    case "author":
      return ownHostCheck(url, options);
  }
}

/**
 * Creates the check for a host and port that the author configured. It rejects only an invalid host or a port that is
 * not allowed; the egress policy decides about the host.
 */
function ownHostCheck(url: string, options: DestinationCheckOptions): DestinationCheck {
  const host = URL.parse(url)?.hostname;
  try {
    return createDestinationCheck(host === undefined ? [] : [authoredDestination(url, options)], options);
  } catch {
    return createDestinationCheck([], options);
  }
}

/**
 * Returns the host of a URL that an author wrote, together with the allowed ports: the default ports and, if the
 * operator allowlisted networks, the port in the URL.
 */
function authoredDestination(authored: string, { ports = [], hasOpenedNetworks = false }: DestinationCheckOptions) {
  const url = new URL(authored);
  const { port } = url;
  const own = port !== "" && hasOpenedNetworks ? [...ports, Number(port)] : undefined;
  return { allowedDomains: [hostNameOf(url)], ...defined({ ports: own }) };
}
