import type { InputRequest, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { clientCapabilities } from "./client-capabilities.ts";
import type { ResumedCall, ServedLinks } from "./port.ts";

/** Returns whether the client of a request can show links. Clients of older revisions declare it with no request. */
export function acceptsLinks(context: ServerContext): boolean {
  const { elicitation } = clientCapabilities(context);
  return isJsonObject(elicitation) && isJsonObject(elicitation["url"]);
}

/** Returns the response to a call that continues after a person has opened links. */
export function toInputRequired(
  { state, links }: ServedLinks,
  { inputRequired }: typeof import("@modelcontextprotocol/server"),
): InputRequiredResult {
  const requests = links.map(({ key, message, url }): [string, InputRequest] => [
    key,
    inputRequired.elicitUrl({ message, url }),
  ]);
  return inputRequired({ inputRequests: Object.fromEntries(requests), requestState: state });
}

/** Returns what a repeated call brings back; undefined at the first round. */
export function resumedCall({ mcpReq }: ServerContext): ResumedCall | undefined {
  const state = mcpReq.requestState();
  if (typeof state !== "string") return undefined;
  return { state, shown: Object.keys(mcpReq.inputResponses ?? {}) };
}
