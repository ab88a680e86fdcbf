import type { Agent, CompleteToolDefinition, SecretAuth } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { checkAgentAccess } from "../../src/checks/check-agent-access.ts";
import { createHandlerUrlCheck } from "../../src/checks/handler-url-check.ts";
import { agentWith, lookupOrder } from "../support/definitions.ts";

const SECRETS: Readonly<Record<string, { readonly auth: SecretAuth | null; readonly hosts: readonly string[] }>> = {
  READY: { auth: { type: "bearer" }, hosts: ["api.shop.example"] },
  NO_AUTH: { auth: null, hosts: ["api.shop.example"] },
  NO_HOSTS: { auth: { type: "bearer" }, hosts: [] },
};
const ONLINE = { network: true, approval: "destructive" } as const;

async function findingsOf(tools: readonly CompleteToolDefinition[], agent: Partial<Agent>) {
  const findings = await checkAgentAccess(agentWith(tools, { policy: ONLINE, ...agent }), tools, {
    hasIntegration: async (name) => name === "shop",
    findSecret: async (name) => SECRETS[name],
    handlerUrlProblem: createHandlerUrlCheck({}),
  });
  return findings.map(({ severity, path, code }) => `${severity} ${path} ${code}`);
}

const composed = (name: string, primitive: string): CompleteToolDefinition => ({
  name,
  description: "Does it.",
  parameters: { type: "object", properties: {} },
  implementation: { primitive, args: {} },
});
const HOOK = "https://hooks.example/in";

describe("what an agent may reach", () => {
  it.each<[string, Partial<Agent>, readonly string[]]>([
    ["nothing", {}, []],
    ["an integration and a credential that are there", { integrations: ["shop"], credentials: ["READY"] }, []],
    [
      "integrations that are not there",
      { integrations: ["shop", "gone", "away"] },
      ["error integrations[1] UNKNOWN_INTEGRATION", "error integrations[2] UNKNOWN_INTEGRATION"],
    ],
    ["a secret that is not there", { credentials: ["READY", "GONE"] }, ["error credentials[1] UNKNOWN_CREDENTIAL"]],
    [
      "a secret that nobody said how to send",
      { credentials: ["NO_AUTH"] },
      ["error credentials[0] CREDENTIAL_WITHOUT_AUTH"],
    ],
    ["a secret for no host", { credentials: ["NO_HOSTS"] }, ["warning credentials[0] CREDENTIAL_WITHOUT_HOSTS"]],
    ["webhook URLs that are turned on", { integrations: ["webhook"], webhookUrls: [HOOK] }, []],
    [
      "webhook URLs that are none",
      { integrations: ["webhook"], webhookUrls: [HOOK, "http://hooks.example/in", "https://10.0.0.1/"] },
      ["error webhookUrls[1] URL_NOT_ALLOWED", "error webhookUrls[2] URL_NOT_ALLOWED"],
    ],
    ["webhooks without URLs", { integrations: ["shop", "webhook"] }, ["warning integrations[1] WEBHOOK_WITHOUT_URLS"]],
    ["URLs without webhooks", { webhookUrls: [HOOK] }, ["warning webhookUrls WEBHOOK_NOT_ENABLED"]],
  ])("is checked: %s", async (_what, agent, findings) => {
    expect(await findingsOf([lookupOrder, { builtin: "web_search" }], agent)).toEqual(findings);
  });
});

describe("what a tool needs", () => {
  const shop = { integrations: ["shop"], credentials: ["READY"] };

  it.each<[string, CompleteToolDefinition, Partial<Agent>, readonly string[]]>([
    ["api_call with all of it", { builtin: "api_call" }, shop, []],
    ["api_call with nothing", { builtin: "api_call" }, {}, ["NO_INTEGRATION", "NO_CREDENTIAL"]],
    ["http_get with nothing", { builtin: "http_get" }, {}, ["NO_INTEGRATION"]],
    ["http_post with an integration", { builtin: "http_post" }, { integrations: ["shop"] }, []],
    [
      "http_get with webhooks alone",
      { builtin: "http_get" },
      { integrations: ["webhook"], webhookUrls: [HOOK] },
      ["NO_INTEGRATION"],
    ],
    ["webhook that is not turned on", { builtin: "webhook" }, shop, ["WEBHOOK_NOT_ENABLED"]],
    ["webhook that is", { builtin: "webhook" }, { integrations: ["webhook"], webhookUrls: [HOOK] }, []],
  ])("is told of: %s", async (_what, tool, agent, codes) => {
    expect(await findingsOf([lookupOrder, tool], agent)).toEqual(
      codes.map((code) => `warning tools[1].builtin ${code}`),
    );
  });

  it("includes templates that post to webhooks", async () => {
    const path = "tools[0].implementation.primitive";
    expect(await findingsOf([composed("notify", "webhook")], {})).toEqual([`warning ${path} WEBHOOK_NOT_ENABLED`]);
  });
});
