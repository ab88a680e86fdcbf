import { NOT_AS_APPROVED, refused } from "@yagate/calls/failure";
import type { ToolCall } from "@yagate/calls/port";
import { sendableSecret } from "@yagate/calls/sendable-secret";
import {
  createDestinationCheck,
  type DestinationCheck,
  type DestinationCheckOptions,
  EgressError,
} from "@yagate/egress";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { defined } from "@yagate/lib/objects/defined";
import { createLeakScan, hostTextOf, type LeakScan } from "@yagate/lib/redaction/leak-scan";
import { maskOf } from "@yagate/lib/redaction/secret-mask";
import { WEBHOOK_INTEGRATION } from "@yagate/protocol";
import { injectCredential } from "@yagate/secrets/credential";
import { leakInArguments } from "../toolset/refusal.ts";
import type { CallRequest, MaskedRequest, WireRequest } from "./call-request.ts";
import type { NetworkAgent, NetworkTool } from "./network-tool.ts";
import type { NetworkServices } from "./services.ts";
import { type OpenedSecrets, openSecrets } from "./services.ts";

/** A request that is ready to send. */
export interface PreparedRequest {
  /** The request with its secrets. It must not be stored. */
  readonly request: WireRequest;
  /** The same request without secrets, for the record. */
  readonly masked: WireRequest;
  readonly approved: DestinationCheck;
  readonly route: "integration" | "authored";
  readonly maxResponseBytes: number;
  /** Cost of the call in credits, charged once the request was sent. */
  readonly credits: number;
  /** Values that must not be stored with a response. */
  readonly valuesToRedact: readonly { readonly name: string; readonly value: string }[];
}

type Refused = { readonly failure: Failure };

/**
 * Runs all checks on a call's request, in the order in which their failures take precedence. Inserts the secrets only
 * after the request has passed every check.
 *
 * @param approvedHash - the hash of the approved request, if an approval was required.
 * @throws YagateError `INVALID_ARGUMENTS` for arguments from which no request can be rendered.
 */
export async function prepareRequest(
  call: ToolCall,
  callRequest: CallRequest,
  {
    tool,
    agent,
    services,
    approvedHash,
  }: {
    readonly tool: NetworkTool;
    readonly agent: NetworkAgent;
    readonly services: NetworkServices;
    readonly approvedHash: string | undefined;
  },
): Promise<PreparedRequest | Refused> {
  const { workspaceId, executionId, primitiveOrdinal: ordinal = 1 } = call;
  const { isPrimitive } = tool;
  const { limits } = services;
  const request = callRequest.bare;
  const integrations = tool.destination === "integrations" ? agent.integrations : "all";
  const destination = { workspaceId, host: hostNameIn(request.url), integrations } as const;
  const limited = await limits.admit({ ...destination, executionId, ordinal, isPrimitive });
  if (limited !== undefined) return { failure: limited };
  const disabled = webhooksRefusal(tool, agent);
  if (disabled !== undefined) return disabled;
  const { credentialName: credential } = callRequest;
  if (credential === undefined && tool.needsCredential) return refused("CREDENTIAL_MISSING", credentialMissing(agent));
  const isGranted = credential === undefined || !isPrimitive || agent.credentials.includes(credential);
  const needed = [...tool.template.secretNames, ...(credential === undefined || !isGranted ? [] : [credential])];
  const secrets = await openSecrets(services.secrets, workspaceId, [...needed, ...agent.secretNames]);
  const scan = createLeakScan(secrets.named);
  const inHost = leakInHost(call, request, scan);
  if (inHost !== undefined) return inHost;
  const unregistered = webhookHostRefusal(tool, agent, request.url);
  if (unregistered !== undefined) return unregistered;
  const approved = await destinationCheck(tool, agent, { workspaceId, url: request.url }, services);
  const host = hostOf(request.url, approved);
  if (typeof host !== "string") return host;
  if (!isGranted) {
    return refused("CREDENTIAL_UNKNOWN", `this agent has no credential with this name; ${listOf(agent)}`);
  }
  const unusable = firstRefusal(needed, secrets, host);
  if (unusable !== undefined) return unusable;
  const opened = credential === undefined ? undefined : secrets.get(credential);
  const masked = callRequest.masked(opened?.auth ?? null);
  if (approvedHash !== undefined && approvedHash !== callRequest.hash(call.toolCallId, masked)) {
    return { failure: NOT_AS_APPROVED };
  }
  const [written] = call.leakedSecrets ?? [];
  if (written !== undefined) return { failure: leakInArguments(written) };
  const leak = scan.scan(request);
  if (leak !== undefined) return leaked(leak.name, leak.place.replace(/^header:/, "header "));
  callRequest.assertNoCredentialConflict(masked);
  const maxResponseBytes = await limits.responseBytes(destination);
  const credits = needed.length === 0 ? 0 : await limits.creditsPerCall(workspaceId);
  const filled = callRequest.withSecrets((name) => secrets.get(name)?.value ?? maskOf(name));
  const ready = await withCredential(filled, masked, secrets, services.now);
  const route = tool.destination === "integrations" ? "integration" : "authored";
  return { ...ready, masked, approved, route, maxResponseBytes, credits };
}

/**
 * Finds a secret in the host. This check comes before the check of the URL, whose failure message would contain the
 * host, and before DNS resolution, which would send the host to name servers. A secret that the model wrote into the
 * arguments has already been replaced with its mask.
 */
function leakInHost({ leakedSecrets = [] }: ToolCall, { url }: WireRequest, scan: LeakScan): Refused | undefined {
  const host = hostTextOf(url).toLowerCase();
  const written = leakedSecrets.find((name) => host.includes(maskOf(name).toLowerCase()));
  if (written !== undefined) return { failure: leakInArguments(written) };
  const name = scan.findInHost(url);
  return name === undefined ? undefined : leaked(name, "url");
}

function leaked(name: string, where: string): Refused {
  return refused("CREDENTIAL_LEAK", `the request contains the value of ${name} (${where}); nothing was sent`);
}

/**
 * Returns the host of a URL in the format of integrations; an empty string if the URL has no host. A later check
 * rejects such a URL.
 */
function hostNameIn(url: string): string {
  return hostNameOf({ hostname: URL.parse(url)?.hostname ?? "" });
}

function hostOf(url: string, approved: DestinationCheck): string | Refused {
  try {
    return approved.check(url).hostname;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return refused("URL_BLOCKED", error.message, { developerMessage: error.reason });
  }
}

/** Returns a failure if a secret is missing or may not be sent to this host. */
function firstRefusal(names: readonly string[], secrets: OpenedSecrets, host: string): Refused | undefined {
  for (const name of names) {
    const sendable = sendableSecret(name, secrets.get(name), host);
    if ("failure" in sendable) return sendable;
  }
  return undefined;
}

async function withCredential(
  request: WireRequest,
  { credential }: MaskedRequest,
  secrets: OpenedSecrets,
  now: () => number,
): Promise<Pick<PreparedRequest, "request" | "valuesToRedact">> {
  const secret = credential === undefined ? undefined : secrets.get(credential.name);
  if (credential === undefined || secret === undefined) return { request, valuesToRedact: secrets.named };
  const { name } = credential;
  const { auth, value } = secret;
  const { request: ready, sent, sentParts } = await injectCredential(request, { name, auth, value }, now);
  const added = sent === value ? [] : [sent, ...sentParts];
  const valuesToRedact = [...secrets.named, ...added.map((text) => ({ name, value: text }))];
  return { request: ready, valuesToRedact };
}

function credentialMissing(agent: NetworkAgent): string {
  return `expected the name of a credential in credential; ${listOf(agent)}`;
}

function listOf({ credentials }: NetworkAgent): string {
  return credentials.length === 0 ? "the agent has none" : `the credentials are ${credentials.join(", ")}`;
}

/** Returns a failure if the tool sends webhooks but the agent may not send any; otherwise undefined. */
function webhooksRefusal(
  { destination }: NetworkTool,
  { integrations }: NetworkAgent,
): { readonly failure: Failure } | undefined {
  if (destination !== "webhooks" || integrations.includes(WEBHOOK_INTEGRATION)) return undefined;
  return refused("WEBHOOK_NOT_ENABLED", 'this agent may not send webhooks: its integrations do not include "webhook"');
}

/**
 * Returns a failure if the tool sends webhooks and no registered webhook has the host of this URL; otherwise undefined.
 */
function webhookHostRefusal(
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
async function destinationCheck(
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
