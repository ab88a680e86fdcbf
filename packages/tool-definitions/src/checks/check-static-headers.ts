import { hostIsBound } from "@yagate/lib/hosts/destination-list";
import type { HandlerToolDefinition } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import { namesCredential } from "../placeholders/header-template.ts";
import { parseTemplateText, type TemplateToken } from "../placeholders/template-text.ts";
import type { DescribeSecrets } from "./secret-lookups.ts";

/** Headers in which a plain value is always a mistake. */
const CREDENTIALS_ONLY = /^(?:authorization|cookie)$/;

/**
 * Checks the headers that a handler tool adds to its calls. Their names and the form of their values have already been
 * validated against the schema.
 *
 * @param path - the path of the tool, such as `tools[0]`.
 */
export async function checkStaticHeaders(
  { headers, handler }: HandlerToolDefinition,
  path: string,
  describeSecrets: DescribeSecrets,
): Promise<readonly AgentFinding[]> {
  const findings: AgentFinding[] = [];
  for (const [name, value] of Object.entries(headers ?? {})) {
    const at = `${path}.headers.${name}`;
    const tokens = parseTemplateText(value);
    if (tokens === undefined) findings.push(error(at, "BAD_PLACEHOLDER", BAD_PLACEHOLDER));
    else findings.push(...checkTokens(tokens, { at, name: name.toLowerCase() }));
    const names = (tokens ?? []).flatMap((token) => ("secret" in token ? [token.secret] : []));
    findings.push(...(await checkSecrets(names, { at, handler }, describeSecrets)));
  }
  return findings;
}

function checkTokens(
  tokens: readonly TemplateToken[],
  { at, name }: { readonly at: string; readonly name: string },
): readonly AgentFinding[] {
  const parameter = tokens.find((token) => "parameter" in token);
  if (parameter !== undefined) {
    const message = "expected a header without parameters: ${secrets.NAME} is the only placeholder allowed here";
    return [error(at, "UNKNOWN_PLACEHOLDER", message)];
  }
  if (!namesCredential(name) || tokens.some((token) => "secret" in token)) return [];
  const message = "everyone who can read the agent can read this value: store it as a secret and write ${secrets.NAME}";
  const severity = CREDENTIALS_ONLY.test(name) ? "error" : "warning";
  return [{ severity, path: at, code: "PLAIN_CREDENTIAL", message }];
}

async function checkSecrets(
  names: readonly string[],
  { at, handler }: { readonly at: string; readonly handler: string },
  describeSecrets: DescribeSecrets,
): Promise<readonly AgentFinding[]> {
  if (names.length === 0) return [];
  const secrets = await describeSecrets(names);
  const { hostname: host } = new URL(handler);
  return names.flatMap((name) => {
    const secret = secrets.get(name);
    if (secret === undefined) {
      return [error(at, "UNKNOWN_SECRET", `expected a secret of the workspace; ${name} does not exist`)];
    }
    if (hostIsBound(host, secret.hosts)) return [];
    const hosts = secret.hosts.length === 0 ? "has no hosts" : `has the hosts ${secret.hosts.join(", ")}`;
    const message = `expected a secret that may be sent to ${host}; ${name} ${hosts}`;
    return [error(at, "SECRET_HOST_MISMATCH", message)];
  });
}

function error(path: string, code: string, message: string): AgentFinding {
  return { severity: "error", path, code, message };
}

const BAD_PLACEHOLDER =
  "expected ${secrets.NAME} with one name and nothing else in the braces; write $${ for a literal ${";
