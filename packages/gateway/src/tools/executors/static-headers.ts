import { unsentFailure } from "@yagate/calls/failure";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { boundHostsText, hostIsBound } from "@yagate/lib/hosts/destination-list";
import { defined } from "@yagate/lib/objects/defined";
import { createRedaction, type Redaction } from "@yagate/lib/redaction/redaction";
import { maskOf } from "@yagate/lib/redaction/secret-mask";
import { type HandlerToolDefinition, YagateError } from "@yagate/protocol";
import { parseTemplateText, type TemplateToken } from "@yagate/tool-definitions/placeholders/template-text";
import type { AddedHeaders } from "@yagate/webhooks/port";
import type { NetworkServices } from "../http/services.ts";
import { type OpenedSecrets, openSecrets } from "../http/services.ts";

type Secrets = Pick<NetworkServices["secrets"], "open">;
type HeaderTemplate = readonly [name: string, tokens: readonly TemplateToken[]];

/** Returns the names of the secrets in a tool's headers, each once. */
export function secretsInHeaders({ headers = {} }: HandlerToolDefinition): readonly string[] {
  const tokens = Object.values(headers).flatMap((value) => parseTemplateText(value) ?? []);
  return [...new Set(tokens.flatMap((token) => ("secret" in token ? [token.secret] : [])))];
}

/**
 * Returns the headers that a handler tool adds to its calls; undefined if it adds none.
 *
 * @throws YagateError `INVALID_REQUEST` for an invalid template. Saved tools contain none.
 */
export function addedHeaders(tool: HandlerToolDefinition, secrets: () => Secrets): AddedHeaders | undefined {
  const { headers, handler } = tool;
  if (headers === undefined) return undefined;
  const templates = Object.entries(headers).map(([name, value]): HeaderTemplate => [name, tokensOf(value)]);
  const names = secretsInHeaders(tool);
  return {
    shown: render(templates, maskOf),
    async open(workspaceId) {
      const opened = await openSecrets(secrets(), workspaceId, names);
      const failure = firstFailure(names, opened, new URL(handler).hostname);
      if (failure !== undefined) return { failure };
      const values = render(templates, (name) => opened.get(name)?.value ?? maskOf(name));
      return { values, redaction: createRedaction(opened.named) };
    },
  };
}

/**
 * Creates a function that returns the redaction for a handler tool's outcomes. The redaction removes the values of the
 * secrets in the tool's headers. The function returns undefined for a tool whose headers contain no secret.
 */
export function createHeaderRedaction(secrets: Secrets) {
  return async (workspaceId: string, tool: HandlerToolDefinition): Promise<Redaction | undefined> => {
    const names = secretsInHeaders(tool);
    return names.length === 0 ? undefined : createRedaction((await openSecrets(secrets, workspaceId, names)).named);
  };
}

function tokensOf(value: string): readonly TemplateToken[] {
  const tokens = parseTemplateText(value);
  if (tokens !== undefined) return tokens;
  throw new YagateError("INVALID_REQUEST", "expected headers without placeholders other than ${secrets.NAME}");
}

function render(
  templates: readonly HeaderTemplate[],
  secretOf: (name: string) => string,
): Readonly<Record<string, string>> {
  const textOf = (token: TemplateToken) =>
    "secret" in token ? secretOf(token.secret) : "text" in token ? token.text : "";
  return Object.fromEntries(templates.map(([name, tokens]) => [name, tokens.map(textOf).join("")]));
}

/** Returns a failure if a secret is missing or may not be sent to the handler's host. */
function firstFailure(names: readonly string[], secrets: OpenedSecrets, host: string): Failure | undefined {
  for (const name of names) {
    const secret = secrets.get(name);
    if (secret === undefined) {
      return notSent("CREDENTIAL_UNKNOWN", `the tool requires the secret ${name}, which the workspace does not have`);
    }
    if (!hostIsBound(host, secret.hosts)) {
      const developerMessage = `${name} may not be sent to ${host}, only to ${boundHostsText(secret.hosts)}`;
      return notSent("URL_BLOCKED", `the secret ${name} may not be sent to the tool's handler`, developerMessage);
    }
  }
  return undefined;
}

function notSent(code: "CREDENTIAL_UNKNOWN" | "URL_BLOCKED", message: string, developerMessage?: string): Failure {
  return unsentFailure(code, message, {
    isRetryable: false,
    hint: "continue without this tool: its author must set the secret or change its hosts",
    ...defined({ developerMessage }),
  });
}
