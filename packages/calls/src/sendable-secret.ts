import type { Failure } from "@yagate/execution-machine/call-outcome";
import { boundHostsText, hostIsBound } from "@yagate/lib/hosts/destination-list";
import { refused } from "./failure.ts";

/**
 * Returns a secret if a call may send it to a host, or the failure of the call.
 *
 * @param secret - undefined if the workspace has no secret with this name.
 * @param host - the host of the request, in the form that `hostNameOf` returns.
 */
export function sendableSecret<Secret extends { readonly hosts: readonly string[] }>(
  name: string,
  secret: Secret | undefined,
  host: string,
): { readonly secret: Secret } | { readonly failure: Failure } {
  if (secret === undefined) {
    return refused("CREDENTIAL_UNKNOWN", `the workspace has no secret ${name}`, {
      hint: "continue without this tool: its operator must set the secret first",
      isRetryable: false,
    });
  }
  if (hostIsBound(host, secret.hosts)) return { secret };
  return refused("URL_BLOCKED", `${name} may not be sent to ${host}, only to ${boundHostsText(secret.hosts)}`);
}
