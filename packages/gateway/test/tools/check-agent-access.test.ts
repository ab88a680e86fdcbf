import type { Agent, CompleteToolDefinition, SecretAuth } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { checkAgentAccess } from "../../src/tools/check-agent-access.ts";
import { createHandlerUrlCheck } from "../../src/tools/handler-url-check.ts";
import { agentWith, lookupOrder } from "./toolset-world.ts";

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
      ["error integrations[1] unknown_integration", "error integrations[2] unknown_integration"],
    ],
    ["a secret that is not there", { credentials: ["READY", "GONE"] }, ["error credentials[1] unknown_credential"]],
    [
      "a secret that nobody said how to send",
      { credentials: ["NO_AUTH"] },
      ["error credentials[0] credential_without_auth"],
    ],
    ["a secret for no host", { credentials: ["NO_HOSTS"] }, ["warning credentials[0] credential_without_hosts"]],
    ["webhook URLs that are turned on", { integrations: ["webhook"], webhookUrls: [HOOK] }, []],
    [
      "webhook URLs that are none",
      { integrations: ["webhook"], webhookUrls: [HOOK, "http://hooks.example/in", "https://10.0.0.1/"] },
      ["error webhookUrls[1] url_not_allowed", "error webhookUrls[2] url_not_allowed"],
    ],
    ["webhooks without URLs", { integrations: ["shop", "webhook"] }, ["warning integrations[1] webhook_without_urls"]],
    ["URLs without webhooks", { webhookUrls: [HOOK] }, ["warning webhookUrls webhook_not_enabled"]],
  ])("is checked: %s", async (_what, agent, findings) => {
    expect(await findingsOf([lookupOrder, { builtin: "web_search" }], agent)).toEqual(findings);
  });
});

describe("what a tool needs", () => {
  const shop = { integrations: ["shop"], credentials: ["READY"] };

  it.each<[string, CompleteToolDefinition, Partial<Agent>, readonly string[]]>([
    ["api_call with all of it", { builtin: "api_call" }, shop, []],
    ["api_call with nothing", { builtin: "api_call" }, {}, ["no_integration", "no_credential"]],
    ["http_get with nothing", { builtin: "http_get" }, {}, ["no_integration"]],
    ["http_post with an integration", { builtin: "http_post" }, { integrations: ["shop"] }, []],
    [
      "http_get with webhooks alone",
      { builtin: "http_get" },
      { integrations: ["webhook"], webhookUrls: [HOOK] },
      ["no_integration"],
    ],
    ["webhook that is not turned on", { builtin: "webhook" }, shop, ["webhook_not_enabled"]],
    ["webhook that is", { builtin: "webhook" }, { integrations: ["webhook"], webhookUrls: [HOOK] }, []],
  ])("is told of: %s", async (_what, tool, agent, codes) => {
    expect(await findingsOf([lookupOrder, tool], agent)).toEqual(
      codes.map((code) => `warning tools[1].builtin ${code}`),
    );
  });

  it("is told of templates that post to webhooks", async () => {
    const path = "tools[0].implementation.primitive";
    expect(await findingsOf([composed("notify", "webhook")], {})).toEqual([`warning ${path} webhook_not_enabled`]);
  });
});
