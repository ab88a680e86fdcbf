import { type Agent, agentSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { startSecondServer } from "../../../../mcp/test/client/support/sdk-servers.ts";
import { calling, execute, expectStatus, makeAgent } from "../support/agents.ts";
import { describedTool } from "../support/describing-handler.ts";
import { documentOf, SHOP, startDocumentServer } from "../support/document-server.ts";
import { workTool } from "../support/handler.ts";
import { startMcpWorld } from "../support/mcp-world.ts";

const world = await startMcpWorld();
afterAll(() => world.stop());

const deniedOf = ({ warnings = [] }: Agent) => warnings.filter(({ code }) => code === "ALWAYS_DENIED");
const makeDocumentSource = async (rest: object = {}) => {
  const server = await startDocumentServer(documentOf(SHOP));
  return { server, source: await world.makeSource(server, { kind: "openapi", ...rest }) };
};

describe("an agent without policy.network", () => {
  it.each<[string, () => Promise<{ name: string; host: string }>]>([
    [
      "an MCP server",
      async () => {
        const server = await startSecondServer();
        return { name: (await world.makeMcpSource(server)).name, host: new URL(server.url).host };
      },
    ],
    [
      "an MCP server that cannot be read",
      async () => {
        const { name } = await world.makeMcpSource({ url: "http://127.0.0.1:9/mcp" });
        return { name, host: "127.0.0.1:9" };
      },
    ],
    [
      "an OpenAPI document whose tools are held",
      async () => {
        const { server, source } = await makeDocumentSource();
        return { name: source.name, host: new URL(server.url).host };
      },
    ],
  ])("is warned about the tools of %s, when it is created and when it is updated", async (_what, make) => {
    const { name, host } = await make();
    const expected = [
      {
        ...{ code: "ALWAYS_DENIED", severity: "critical", path: "tools[1]" },
        message: `every call to the tools of ${name} will be denied: the agent's policy does not allow network access: policy.network is not true; set it to true to allow requests to ${host}`,
      },
    ];
    const agent = await makeAgent(world, { tools: [{ builtin: "calculator" }, { source: name }] });
    expect(deniedOf(agent)).toEqual(expected);
    const update = async (body: object) =>
      agentSchema.parse(expectStatus(await world.call("updateAgent", { params: { id: agent.id }, body }), 200));
    expect(deniedOf(await update({ description: "shops" }))).toEqual(expected);
    expect(deniedOf(await update({ policy: { network: true } }))).toEqual([]);
  });

  it("is warned about the hosts of the tools that it names, each once", async () => {
    const { source } = await makeDocumentSource({ accept: "all" });
    const agent = await makeAgent(world, { tools: [{ source: source.name, tools: ["get_order", "list_orders"] }] });
    expect(deniedOf(agent)).toMatchObject([{ path: "tools[0]", message: expect.stringMatching(/requests to [^,]+$/) }]);
  });

  it("is not warned about the tools of a handler", async () => {
    const handler = await world.startHandler([describedTool("lookup")]);
    const { name } = await world.makeSource(handler, { accept: "all" });
    expect(deniedOf(await makeAgent(world, { tools: [{ source: name }] }))).toEqual([]);
  });
});

describe("an agent two of whose tools have the same name for models", () => {
  const conflictsOf = ({ warnings = [] }: Agent) => warnings.filter(({ code }) => code === "NAME_CONFLICT");
  const makeSource = async (name: string, ...tools: readonly string[]) => {
    const handler = await world.startHandler(tools.map((tool) => describedTool(tool)));
    return { handler, source: await world.makeSource(handler, { name, accept: "all" }) };
  };

  it("is warned that the tool of the later source is left out", async () => {
    const first = await makeSource("shop", "orders.get");
    const second = await makeSource("shop_orders", "get", "list");
    const agent = await makeAgent(world, { tools: [{ source: "shop" }, { source: "shop_orders" }] });
    expect(conflictsOf(agent)).toEqual([
      {
        ...{ code: "NAME_CONFLICT", severity: "warning", path: "tools[1]" },
        message: expect.stringContaining(": shop_orders.get (like shop.orders.get); rename one of them"),
      },
    ]);
    const execution = await execute(world, agent.id, calling("shop_orders.get"));
    expect(execution).toMatchObject({ status: "completed" });
    expect([first.handler.calls, second.handler.calls]).toMatchObject([[], []]);
  });

  it("is warned that its own tool comes before that of a source, with at most five names", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const { handler } = await makeSource("desk", ...names);
    const own = names.map((name) => workTool(handler.url, { name: `Desk_${name}` }));
    const agent = await makeAgent(world, { tools: [{ source: "desk" }, ...own] });
    expect(conflictsOf(agent)).toMatchObject([
      {
        path: "tools[0]",
        message: expect.stringMatching(/: desk\.a \(like Desk_a\), .*desk\.e \(like Desk_e\) and 2 more;/),
      },
    ]);
  });
});

it("an agent whose policy excludes the kind of a source's tools is warned, without a host", async () => {
  const handler = await world.startHandler([describedTool("lookup")]);
  const { name } = await world.makeSource(handler);
  const policy = { toolKinds: ["compute"] };
  expect(deniedOf(await makeAgent(world, { tools: [{ source: name }], policy }))).toMatchObject([
    { path: "tools[0]", message: expect.stringMatching(/tools of kind handler$/) },
  ]);
});
