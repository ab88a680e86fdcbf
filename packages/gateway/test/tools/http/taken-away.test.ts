import { agentSchema } from "@yagate/protocol";
import { expect, it } from "vitest";
import { expectStatus, fieldsOf } from "../../http/support/agents.ts";
import { startNetworkWorld } from "./support/network-world.ts";

const world = await startNetworkWorld();
const called = world.service.url("/orders");
const url = "https://api.shop.test/orders";
const composed = (name: string, secret: string) => ({
  name,
  description: "Finds orders.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  implementation: {
    primitive: "http_request",
    args: { method: "GET", url, headers: { "X-Key": `${"${secrets."}${secret}}` } },
  },
});
const rest = (credential: string) => ({
  rest: { name: "list_orders", description: "Lists orders.", method: "GET", url, parameters: [], credential },
});

async function agentOfWhatIsGone() {
  expectStatus(
    await world.call("createIntegration", { body: { name: "gone", allowedDomains: ["api.shop.test"] } }),
    201,
  );
  await world.secret("GONE", "gone-planted-value");
  const tools = [
    { builtin: "api_call", config: { sideEffect: "read_only" } },
    composed("find_orders", "GONE"),
    rest("GONE"),
  ];
  const agent = await world.agent({ integrations: ["shop", "gone"], credentials: ["GONE"], tools, webhookUrls: [] });
  expect(agent.warnings).toEqual([]);
  expectStatus(await world.call("deleteSecret", { params: { name: "GONE" } }), 204);
  expectStatus(await world.call("deleteIntegration", { params: { name: "gone" } }), 204);
  return agent;
}

it("a change is not refused for references of the agent whose targets are gone", async () => {
  const { id } = await agentOfWhatIsGone();
  const update = (body: object) => world.call("updateAgent", { params: { id }, body });
  const known = [
    ["tools[2].rest.credential", "UNKNOWN_CREDENTIAL"],
    ["tools[1].implementation.args.headers.X-Key", "UNKNOWN_SECRET"],
    ["integrations[1]", "UNKNOWN_INTEGRATION"],
    ["credentials[0]", "UNKNOWN_CREDENTIAL"],
  ];
  const changed = agentSchema.parse(expectStatus(await update({ systemPrompt: "Be brief." }), 200));
  expect(changed.systemPrompt).toBe("Be brief.");
  expect(changed.warnings?.map(({ path, code }) => [path, code])).toEqual(known);

  const named = await update({
    integrations: ["gone", "unheard_of"],
    credentials: ["UNHEARD_OF", "GONE"],
    tools: [composed("find_orders", "GONE"), composed("find_more", "GONE"), rest("UNHEARD_OF")],
  });
  expect(named.status).toBe(422);
  expect(fieldsOf(named).map((field) => field.split(":")[0])).toEqual([
    "tools[2].rest.credential",
    "tools[1].implementation.args.headers.X-Key",
    "integrations[1]",
    "credentials[0]",
  ]);
});

it("a secret that is gone is nothing that a model can try again with", async () => {
  const agent = await agentOfWhatIsGone();
  const call = await world.one(agent, "api_call", { method: "GET", url: called, credential: "GONE" });
  expect(call.error).toMatchObject({ code: "CREDENTIAL_UNKNOWN", retryable: false });
  const unnamed = await world.one(agent, "api_call", { method: "GET", url: called, credential: "SHOP" });
  expect(unnamed.error).toMatchObject({ code: "CREDENTIAL_UNKNOWN", retryable: true });
});
