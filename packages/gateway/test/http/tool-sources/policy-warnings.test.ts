import { type Agent, agentSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { startSecondServer } from "../../../../mcp/test/client/support/sdk-servers.ts";
import { expectStatus, makeAgent } from "../support/agents.ts";
import { describedTool } from "../support/describing-handler.ts";
import { documentOf, SHOP, startDocumentServer } from "../support/document-server.ts";
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

it("an agent whose policy excludes the kind of a source's tools is warned, without a host", async () => {
  const handler = await world.startHandler([describedTool("lookup")]);
  const { name } = await world.makeSource(handler);
  const policy = { toolKinds: ["compute"] };
  expect(deniedOf(await makeAgent(world, { tools: [{ source: name }], policy }))).toMatchObject([
    { path: "tools[0]", message: expect.stringMatching(/tools of kind handler$/) },
  ]);
});
