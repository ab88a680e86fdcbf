import {
  installedToolkitSchema,
  integrationSchema,
  providerSchema,
  toolkitSchema,
  type Warning,
  workspaceToolSchema,
} from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectStatus, makeAgent } from "./support/agents.ts";
import { workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

const KEY = "${secrets.SHOP_KEY}";

/** `severity code path` of each. */
function summarised(warnings: readonly Warning[] | undefined): readonly string[] | undefined {
  return warnings?.map(({ severity, code, path }) => `${severity} ${code} ${path}`);
}

async function putSecret(name: string, rest: object): Promise<void> {
  const body = { value: "sk_live_51ABCdef", ...rest };
  expectStatus(await world.call("putSecret", { params: { name }, body }), 200);
}

beforeAll(async () => {
  await putSecret("BEARER", { auth: { type: "bearer" }, hosts: ["api.github.com"] });
  await putSecret("PRIVATE", { auth: { type: "header", name: "Private-Token" }, hosts: ["api.github.com"] });
  await putSecret("WRITTEN_OUT", { auth: { type: "header", name: "Authorization" }, hosts: ["api.github.com"] });
  await putSecret("HOMELESS", { auth: { type: "bearer" } });
  await putSecret("KEYLESS", { hosts: ["api.github.com"] });
});

describe("a reference to a secret that is not filled in", () => {
  const parameters = {
    type: "object",
    properties: { id: { type: "string", description: `such as ${KEY}` } },
    required: ["id"],
  };
  const tools = [
    { ...workTool(`https://tools.example/${KEY}`, { name: "work", description: `sends ${KEY}` }), parameters },
    {
      rest: {
        ...{ name: "read", description: "reads", method: "GET", url: "https://api.example.com/items" },
        ...{ usageNotes: "workspace-secret://SHOP_KEY is read", trusted: true },
        parameters: [{ name: "key", in: "query", type: "string", value: KEY }],
      },
    },
    {
      ...{ name: "gross", description: "adds a tax", parameters: { ...parameters, properties: { id: {} } } },
      implementation: { primitive: "calculator", args: { expression: "${id} + workspace-secret://SHOP_KEY" } },
    },
  ];

  it("is warned of in every field of an agent, and says where a secret can be named", async () => {
    const { warnings } = await makeAgent(world, {
      ...{ systemPrompt: `Use ${KEY}.`, tools, policy: { network: true }, webhookUrls: [], integrations: [] },
    });
    const found = warnings?.filter(({ code }) => code === "SECRET_REFERENCE_NOT_READ");
    expect(summarised(found)?.map((text) => text.replace("critical SECRET_REFERENCE_NOT_READ ", ""))).toEqual([
      "systemPrompt",
      "tools[0].description",
      "tools[0].parameters.properties.id.description",
      "tools[0].handler",
      "tools[1].rest.usageNotes",
      "tools[1].rest.parameters[0].value",
      "tools[2].implementation.args.expression",
    ]);
    expect(found?.[0]?.message).toBe(
      "${secrets.NAME} has no effect here: it stays literal text, and the model reads it. To use a secret, make it the " +
        "credential of a REST tool or of api_call, or write ${secrets.NAME} in the headers of a handler tool " +
        "or in the args of a composed tool whose target is http_request or webhook; workspace-secret://NAME is for model providers only",
    );
  });

  it("is warned of in a workspace tool", async () => {
    const { remarks } = workspaceToolSchema.parse(
      expectStatus(await world.call("createTool", { body: { definition: tools[1] } }), 201),
    );
    expect(summarised(remarks)).toEqual([
      "critical SECRET_REFERENCE_NOT_READ definition.rest.usageNotes",
      "critical SECRET_REFERENCE_NOT_READ definition.rest.parameters[0].value",
    ]);
  });

  it("causes no warning where it is escaped or replaced", async () => {
    const hosts = ["api.example.com"];
    await putSecret("SHOP_KEY", { hosts });
    const sending = {
      ...{ name: "send", description: "writes $${secrets.SHOP_KEY} for a reader", sideEffect: "read_only" },
      parameters: { type: "object", properties: {} },
      implementation: {
        primitive: "http_request",
        args: { method: "POST", url: "https://api.example.com/", headers: { authorization: `Bearer ${KEY}` } },
      },
    };
    const { warnings } = await makeAgent(world, { tools: [sending], policy: { network: true } });
    expect(warnings).toEqual([]);
  });
});

describe("a model provider that is saved", () => {
  const put = async (apiKey: string) =>
    providerSchema.parse(
      expectStatus(await world.call("putProvider", { params: { name: "openai" }, body: { apiKey } }), 200),
    );

  it("comes with a warning where its secret does not exist, and without one where it does", async () => {
    const { warnings } = await put("workspace-secret://NOT_THERE");
    expect(summarised(warnings)).toEqual(["critical UNKNOWN_SECRET apiKey"]);
    expect(warnings?.[0]?.message).toMatch(/^the workspace has no secret NOT_THERE: .*`yagate secret set NOT_THERE`$/);
    expect(await put("workspace-secret://BEARER")).not.toHaveProperty("warnings");
  });
});

describe("a toolkit that is saved", () => {
  it.each<[string, string | null, readonly string[] | undefined]>([
    ["that does not exist", "NOT_THERE", ["critical UNKNOWN_CREDENTIAL credential"]],
    ["without an authentication scheme", "KEYLESS", ["critical CREDENTIAL_WITHOUT_AUTH credential"]],
    ["that may be sent nowhere", "HOMELESS", ["critical CREDENTIAL_WITHOUT_HOSTS credential"]],
    ["that can be sent", "BEARER", undefined],
    ["of none", null, undefined],
  ])("gets a warning for a credential %s, when created and when changed", async (what, credential, warnings) => {
    const body = { name: what, provider: "Shop", credential };
    const made = toolkitSchema.parse(expectStatus(await world.call("createToolkit", { body }), 201));
    expect(summarised(made.warnings)).toEqual(warnings);
    const change = { params: { id: made.id }, body: { credential } };
    const changed = toolkitSchema.parse(expectStatus(await world.call("updateToolkit", change), 200));
    expect(summarised(changed.warnings)).toEqual(warnings);
    const read = toolkitSchema.parse(expectStatus(await world.call("getToolkit", { params: { id: made.id } }), 200));
    expect(read).not.toHaveProperty("warnings");
  });
});

describe("a template that is installed", () => {
  let installations = 0;

  async function install(id: string, credential: string | null) {
    installations += 1;
    const body = { credential, namePrefix: `i${installations}_` };
    const answer = await world.call("installToolTemplate", { params: { id }, body });
    return installedToolkitSchema.parse(expectStatus(answer, 201)).toolkit;
  }

  it.each<[string, string, string | null, readonly string[] | undefined]>([
    ["of another kind", "github", "PRIVATE", ["critical CREDENTIAL_AUTH_MISMATCH credential"]],
    ["that does not exist", "github", "NOT_THERE", ["critical UNKNOWN_CREDENTIAL credential"]],
    ["where the service takes none", "open-meteo", "BEARER", ["critical CREDENTIAL_AUTH_MISMATCH credential"]],
    ["of the right kind", "github", "BEARER", undefined],
    ["whose value can hold the scheme", "github", "WRITTEN_OUT", undefined],
    ["of none, which can be named later", "github", null, undefined],
  ])("gets a warning for a secret %s", async (_what, id, credential, warnings) => {
    expect(summarised((await install(id, credential)).warnings)).toEqual(warnings);
  });

  it("names the expected and the actual authentication scheme", async () => {
    expect((await install("github", "PRIVATE")).warnings?.[0]?.message).toBe(
      "GitHub expects bearer, but PRIVATE is sent as header private-token, so the service will probably reject every " +
        "call: set the auth of PRIVATE, or choose another secret",
    );
  });
});

describe("an integration that is saved", () => {
  it("gets a warning for domains that no request may go to", async () => {
    const allowedDomains = ["api.example.com", "10.0.0.5", "127.0.0.1", "localhost", "fd00::1", "8.8.8.8"];
    const body = { name: "inside", allowedDomains, ports: [443, 8443] };
    const made = integrationSchema.parse(expectStatus(await world.call("createIntegration", { body }), 201));
    // The loopback is one of this gateway's allowlisted networks.
    const expected = [1, 4].map((index) => `critical DOMAIN_ALWAYS_BLOCKED allowedDomains[${index}]`);
    expect(summarised(made.warnings)).toEqual(expected);
    expect(made.warnings?.[0]?.message).toBe(
      "every request to 10.0.0.5 will be blocked: expected a public address, or one in the operator's allowlisted " +
        "networks; use a public host, or ask the operator to allowlist its network with YAGATE_ALLOW_CIDRS",
    );
    const change = { params: { name: "inside" }, body: { description: "a network of ours" } };
    const changed = integrationSchema.parse(expectStatus(await world.call("updateIntegration", change), 200));
    expect(summarised(changed.warnings)).toEqual(expected);
    const read = await world.call("getIntegration", { params: { name: "inside" } });
    expect(integrationSchema.parse(expectStatus(read, 200))).not.toHaveProperty("warnings");
  });
});
