import { withoutBrackets } from "../../egress/domain-list.ts";
import { withoutTrailingDot } from "../../egress/host-name.ts";
import { type DestinationCheck, EgressError } from "../../egress/index.ts";
import { injectCredential, maskCredential, maskOf } from "../../secrets/credential.ts";
import { hostIsBound } from "../../secrets/host-binding.ts";
import { createLeakScan } from "../../secrets/leak-scan.ts";
import { leakInArguments } from "../leak-in-arguments.ts";
import type { ToolCall, ToolFailure } from "../port.ts";
import { destinationCheck, webhookRefusal } from "./destination-rules.ts";
import { refused } from "./network-failures.ts";
import type { NetworkAgent, NetworkTool } from "./network-tool.ts";
import { type OpenedSecrets, openSecrets } from "./secret-values.ts";
import type { NetworkServices } from "./services.ts";
import { toWireRequest, type WireRequest } from "./wire-request.ts";

/** A request that may leave. */
export interface PreparedRequest {
  /** With its secrets: nothing of it may be kept. */
  readonly request: WireRequest;
  /** The same for everybody's eyes. */
  readonly shown: WireRequest;
  readonly approved: DestinationCheck;
  /** Which way out it takes. */
  readonly way: keyof NetworkServices["egress"];
  readonly maxResponseBytes: number;
  /** What the call costs once it has left, in credits. */
  readonly credits: number;
  /** What must not be kept of an answer. */
  readonly hidden: readonly { readonly name: string; readonly value: string }[];
}

type Refused = { readonly failure: ToolFailure };

/**
 * Takes every decision on a call's request, in the order that its refusals have, and only then opens it.
 *
 * @param request - without secrets.
 */
export async function prepareRequest(
  call: ToolCall,
  request: WireRequest,
  {
    tool,
    agent,
    services,
  }: { readonly tool: NetworkTool; readonly agent: NetworkAgent; readonly services: NetworkServices },
): Promise<PreparedRequest | Refused> {
  const { workspaceId, executionId, primitiveOrdinal: ordinal = 1 } = call;
  const { isPrimitive } = tool;
  const { limits } = services;
  const destination = { workspaceId, host: hostNameOf(request.url), integrations: agent.integrations };
  const limited = await limits.admit({ ...destination, executionId, ordinal, isPrimitive });
  if (limited !== undefined) return { failure: limited };
  const unregistered = webhookRefusal(tool, agent, request.url);
  if (unregistered !== undefined) return unregistered;
  const credential = tool.credentialOf(call.parameters);
  if (credential === undefined && tool.needsCredential) return refused("CREDENTIAL_MISSING", credentialMissing(agent));
  const approved = await destinationCheck(tool, agent, { workspaceId, url: request.url }, services);
  const host = hostOf(request.url, approved);
  if (typeof host !== "string") return host;
  if (credential !== undefined && isPrimitive && !agent.credentials.includes(credential)) {
    return refused("CREDENTIAL_UNKNOWN", `this agent has no such credential; ${listOf(agent)}`);
  }
  const needed = [...tool.template.secretNames, ...(credential === undefined ? [] : [credential])];
  const secrets = await openSecrets(services.secrets, workspaceId, [...needed, ...agent.secretNames]);
  const unusable = secretRefusal(needed, secrets, host);
  if (unusable !== undefined) return unusable;
  const [written] = call.leakedSecrets ?? [];
  if (written !== undefined) return { failure: leakInArguments(written) };
  const leak = createLeakScan(secrets.named).scan(request);
  if (leak !== undefined) {
    const where = leak.place.replace(/^header:/, "header ");
    return refused("CREDENTIAL_LEAK", `the request holds the value of ${leak.name} (${where}); nothing was sent`);
  }
  const maxResponseBytes = await limits.responseBytes(destination);
  const credits = needed.length === 0 ? 0 : await limits.creditsPerCall(workspaceId);
  const filled = fill(tool, call, request, secrets);
  const ready = await withCredential(credential, filled, request, secrets, services.now);
  const way = tool.destination === "integrations" ? "approved" : "written";
  return { ...ready, approved, way, maxResponseBytes, credits };
}

/** As integrations have it; empty where there is none, which is refused later. */
function hostNameOf(url: string): string {
  return withoutTrailingDot(withoutBrackets(URL.parse(url)?.hostname ?? ""));
}

function hostOf(url: string, approved: DestinationCheck): string | Refused {
  try {
    return approved.check(url).hostname;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return refused("URL_BLOCKED", error.message, { developerMessage: error.reason });
  }
}

/** Each secret must be there, and meant for this host. */
function secretRefusal(names: readonly string[], secrets: OpenedSecrets, host: string): Refused | undefined {
  for (const name of names) {
    const secret = secrets.get(name);
    if (secret === undefined) {
      return refused("CREDENTIAL_UNKNOWN", `the workspace has no secret ${name}`, {
        hint: "go on without this tool: whoever runs it must set the secret first",
        isRetryable: false,
      });
    }
    if (!hostIsBound(host, secret.hosts)) {
      const bound = secret.hosts.length === 0 ? "no host" : secret.hosts.join(", ");
      return refused("URL_BLOCKED", `${name} may not be sent to ${host}, only to ${bound}`);
    }
  }
  return undefined;
}

/** The same request with the values of its secrets. */
function fill(tool: NetworkTool, call: ToolCall, shown: WireRequest, secrets: OpenedSecrets): WireRequest {
  if (tool.template.secretNames.length === 0) return shown;
  const valueIn = (name: string) => secrets.get(name)?.value ?? maskOf(name);
  return toWireRequest(tool.template.render(call.parameters, valueIn));
}

async function withCredential(
  name: string | undefined,
  request: WireRequest,
  shown: WireRequest,
  secrets: OpenedSecrets,
  now: () => number,
): Promise<Pick<PreparedRequest, "request" | "shown" | "hidden">> {
  const secret = name === undefined ? undefined : secrets.get(name);
  if (name === undefined || secret === undefined) return { request, shown, hidden: secrets.named };
  const { auth, value } = secret;
  const { request: ready, sent } = await injectCredential(request, { name, auth, value }, now);
  const hidden = sent === value ? secrets.named : [...secrets.named, { name, value: sent }];
  return { request: ready, shown: maskCredential(shown, { name, auth }), hidden };
}

function credentialMissing(agent: NetworkAgent): string {
  return `expected credential to name what the request is sent with; ${listOf(agent)}`;
}

function listOf({ credentials }: NetworkAgent): string {
  return credentials.length === 0 ? "it has none" : `its credentials are ${credentials.join(", ")}`;
}
