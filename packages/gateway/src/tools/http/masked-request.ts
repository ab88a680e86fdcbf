import { maskOf } from "@yagate/lib/redaction/mask-of";
import { type SecretAuth, YagateError } from "@yagate/protocol";
import { type Credential, carriesAlready, maskCredential } from "../../secrets/credential.ts";
import type { ToolCall } from "../port.ts";
import type { NetworkTool } from "./network-tool.ts";
import type { WireRequest } from "./wire-request.ts";

/** A request for everybody's eyes. */
export interface ShownRequest {
  /** With `***NAME***` in the place of its credential. */
  readonly request: WireRequest;
  /** What is added to it when it leaves. */
  readonly credential: Pick<Credential, "name" | "auth"> | undefined;
}

/**
 * Shows where a call's credential will stand.
 *
 * @param request - without it.
 * @param auth - how the workspace says now that the secret goes along.
 */
export function maskRequest(
  tool: NetworkTool,
  call: ToolCall,
  request: WireRequest,
  auth: SecretAuth | null,
): ShownRequest {
  const name = tool.credentialOf(call.parameters);
  // What is no URL has no query; that is told when it is judged where it leads.
  if (name === undefined || !URL.canParse(request.url)) return { request, credential: undefined };
  const credential = { name, auth };
  return { request: maskCredential(request, credential), credential };
}

/**
 * Refuses a call that writes something of its own where its credential goes: it would be lost, and nobody told.
 *
 * @throws YagateError `INVALID_ARGUMENTS`, for the model.
 */
export function assertPlaceIsFree(tool: NetworkTool, call: ToolCall, { credential }: ShownRequest): void {
  if (credential === undefined) return;
  const taken = carriesAlready(tool.template.render(call.parameters, maskOf), credential.auth);
  if (taken === undefined) return;
  throw new YagateError(
    "INVALID_ARGUMENTS",
    `the credential ${credential.name} goes along as the ${taken}; leave it out of the request`,
  );
}
