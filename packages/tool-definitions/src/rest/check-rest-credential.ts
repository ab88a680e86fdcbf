import { hostIsBound } from "@yagate/lib/hosts/destination-list";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import type { RestDefinition, SecretAuth } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import type { FindSecret } from "../checks/secret-lookups.ts";
import { wireNameOf } from "./rest-parameters.ts";
import { parseRestUrl } from "./rest-url.ts";

/**
 * Checks that the credential of a REST tool exists, has an authentication scheme and may be sent to the tool's host.
 *
 * @param path - the path of the definition, such as `tools[0].rest`.
 */
export async function checkRestCredential(
  { credential, url, parameters }: RestDefinition,
  path: string,
  findSecret: FindSecret,
): Promise<readonly AgentFinding[]> {
  if (credential === undefined) return [];
  const error = (code: string, message: string, at = "credential"): AgentFinding => ({
    severity: "error",
    path: `${path}.${at}`,
    code,
    message,
  });
  const secret = await findSecret(credential);
  if (secret === undefined) {
    return [error("UNKNOWN_CREDENTIAL", `expected a secret of the workspace; ${credential} does not exist`)];
  }
  const { auth, hosts } = secret;
  if (auth === null) {
    const message = `expected a secret that has an authentication scheme: set the auth of ${credential}`;
    return [error("CREDENTIAL_WITHOUT_AUTH", message)];
  }
  const findings: AgentFinding[] = [];
  const parsed = parseRestUrl(url);
  const host = "url" in parsed ? hostNameOf(new URL(parsed.url.origin)) : undefined;
  if (host !== undefined && !hostIsBound(host, hosts)) {
    const have = hosts.length === 0 ? "are not set" : "do not include it";
    const message = `expected a secret that may be sent to ${host}: the hosts of ${credential} ${have}`;
    findings.push(error("CREDENTIAL_HOST", message));
  }
  const taken = placeOfCredential(auth);
  for (const [index, parameter] of parameters.entries()) {
    const name = wireNameOf(parameter);
    const isTaken = parameter.in === "header" ? name.toLowerCase() === taken.name : name === taken.name;
    if (parameter.in !== taken.in || !isTaken) continue;
    const message = `expected another name: the credential ${credential} is sent under this one`;
    findings.push(error("CREDENTIAL_CONFLICT", message, `parameters[${index}]`));
  }
  if ("url" in parsed && taken.in === "query" && parsed.url.queryNames.includes(taken.name)) {
    const message = `expected a query without ${taken.name}: the credential ${credential} is sent under this name`;
    findings.push(error("CREDENTIAL_CONFLICT", message, "url"));
  }
  return findings;
}

function placeOfCredential(auth: SecretAuth): { readonly in: "header" | "query"; readonly name: string } {
  if (auth.type === "query_param") return { in: "query", name: auth.name };
  return { in: "header", name: auth.type === "header" ? auth.name.toLowerCase() : "authorization" };
}
