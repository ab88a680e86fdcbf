import {
  type Agent,
  type CompleteToolDefinition,
  isBuiltinTool,
  isComposedTool,
  type WarningCode,
  WEBHOOK_INTEGRATION,
} from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import type { HandlerUrlCheck } from "./handler-url-check.ts";
import type { FindSecret } from "./secret-lookups.ts";

export interface AgentAccessOptions {
  /** Checks whether the agent's workspace has an integration with this name. */
  readonly hasIntegration: (name: string) => Promise<boolean>;
  readonly findSecret: FindSecret;
  readonly handlerUrlProblem: HandlerUrlCheck;
}

type AgentAccess = Pick<Agent, "integrations" | "credentials" | "webhookUrls">;

/**
 * Checks an agent's integrations, credentials and webhook URLs, and warns about tools that can't work with them.
 *
 * @param tools - all tools of the agent, in order.
 */
export async function checkAgentAccess(
  agent: AgentAccess,
  tools: readonly CompleteToolDefinition[],
  options: AgentAccessOptions,
): Promise<readonly AgentFinding[]> {
  return [
    ...(await checkIntegrations(agent, options)),
    ...(await checkCredentials(agent, options)),
    ...(await checkWebhookUrls(agent, options)),
    ...tools.flatMap((tool, index) => checkNeeds(tool, `tools[${index}]`, agent)),
  ];
}

async function checkIntegrations(
  { integrations }: AgentAccess,
  { hasIntegration }: AgentAccessOptions,
): Promise<readonly AgentFinding[]> {
  const findings: AgentFinding[] = [];
  for (const [index, name] of integrations.entries()) {
    if (name === WEBHOOK_INTEGRATION || (await hasIntegration(name))) continue;
    const message = `expected an integration of the workspace; ${name} does not exist`;
    findings.push({ severity: "error", path: `integrations[${index}]`, code: "UNKNOWN_INTEGRATION", message });
  }
  return findings;
}

async function checkCredentials(
  { credentials }: AgentAccess,
  { findSecret }: AgentAccessOptions,
): Promise<readonly AgentFinding[]> {
  const findings: AgentFinding[] = [];
  for (const [index, name] of credentials.entries()) {
    const path = `credentials[${index}]`;
    const secret = await findSecret(name);
    if (secret === undefined) {
      const message = `expected a secret of the workspace; ${name} does not exist`;
      findings.push({ severity: "error", path, code: "UNKNOWN_CREDENTIAL", message });
      continue;
    }
    if (secret.auth === null) {
      const message = `expected a secret that has an authentication scheme: set the auth of ${name}`;
      findings.push({ severity: "error", path, code: "CREDENTIAL_WITHOUT_AUTH", message });
    }
    if (secret.hosts.length === 0) {
      const message = `${name} has no hosts: no request can use it until you set its hosts`;
      findings.push({ severity: "warning", path, code: "CREDENTIAL_WITHOUT_HOSTS", message });
    }
  }
  return findings;
}

async function checkWebhookUrls(
  { integrations, webhookUrls }: AgentAccess,
  { handlerUrlProblem }: AgentAccessOptions,
): Promise<readonly AgentFinding[]> {
  const findings: AgentFinding[] = [];
  for (const [index, url] of webhookUrls.entries()) {
    const message = await handlerUrlProblem(url);
    if (message === undefined) continue;
    findings.push({ severity: "error", path: `webhookUrls[${index}]`, code: "URL_NOT_ALLOWED", message });
  }
  const isEnabled = integrations.includes(WEBHOOK_INTEGRATION);
  if (isEnabled && webhookUrls.length === 0) {
    const message = "webhook is enabled, but webhookUrls is empty: add the URLs to which it may post";
    const path = `integrations[${integrations.indexOf(WEBHOOK_INTEGRATION)}]`;
    findings.push({ severity: "warning", path, code: "WEBHOOK_WITHOUT_URLS", message });
  }
  if (!isEnabled && webhookUrls.length > 0) {
    const message = 'webhookUrls has no effect until integrations includes "webhook"';
    findings.push({ severity: "warning", path: "webhookUrls", code: "WEBHOOK_NOT_ENABLED", message });
  }
  return findings;
}

/** Warns if every call to a tool would be blocked because the agent lacks an integration or a credential. */
function checkNeeds(tool: CompleteToolDefinition, path: string, agent: AgentAccess): readonly AgentFinding[] {
  const { integrations, credentials } = agent;
  const findings: AgentFinding[] = [];
  const warn = (at: string, code: WarningCode, message: string) =>
    findings.push({ severity: "warning", path: at, code, message });
  if (isComposedTool(tool) && tool.implementation.primitive === "webhook") {
    if (!integrations.includes(WEBHOOK_INTEGRATION)) {
      warn(`${path}.implementation.primitive`, "WEBHOOK_NOT_ENABLED", notEnabled(tool.name));
    }
    return findings;
  }
  if (!isBuiltinTool(tool)) return [];
  const { builtin } = tool;
  const at = `${path}.builtin`;
  if (builtin === "webhook") {
    if (!integrations.includes(WEBHOOK_INTEGRATION)) warn(at, "WEBHOOK_NOT_ENABLED", notEnabled(builtin));
    return findings;
  }
  if (builtin !== "api_call" && builtin !== "http_get" && builtin !== "http_post") return [];
  if (integrations.every((name) => name === WEBHOOK_INTEGRATION)) {
    warn(at, "NO_INTEGRATION", `every call to ${builtin} will be blocked: the agent enables no integration`);
  }
  if (builtin === "api_call" && credentials.length === 0) {
    warn(at, "NO_CREDENTIAL", "every call to api_call will be blocked: the agent has no credentials");
  }
  return findings;
}

function notEnabled(name: string): string {
  return `every call to ${name} will be blocked until the agent's integrations include "webhook"`;
}
