import {
  type JsonObject,
  type JsonValue,
  type ToolCallRecord,
  type ToolSource,
  toolCallRecordSchema,
  toolSourceSchema,
} from "@yagate/protocol";
import type { GatewayConfig } from "../../../src/config/gateway-config.ts";
import { execute, expectStatus, makeAgent } from "./agents.ts";
import { startToolSourceWorld, type ToolSourceWorld } from "./tool-source-world.ts";

/** A gateway with the means to make sources of MCP servers and to call their tools. */
export interface McpWorld extends ToolSourceWorld {
  /** Creates a source of a server, with a name of its own and all tools accepted. */
  makeMcpSource(server: { readonly url: string }, rest?: object): Promise<ToolSource>;
  /** Calls a tool of a source once, in an execution of its own, and returns the record of the call. */
  callTool(source: ToolSource, tool: string, parameters?: JsonObject, agent?: object): Promise<ToolCallRecord>;
}

export async function startMcpWorld(config: Partial<GatewayConfig> = {}): Promise<McpWorld> {
  const world = await startToolSourceWorld(config);
  let count = 0;
  return {
    ...world,
    async makeMcpSource({ url }, rest = {}) {
      const body = { name: `server_${++count}`, kind: "mcp", url, accept: "all", ...rest };
      return toolSourceSchema.parse(expectStatus(await world.call("createToolSource", { body }), 201));
    },
    async callTool(source, tool, parameters = {}, agent = {}) {
      const policy = { network: true };
      const { id } = await makeAgent(world, { tools: [{ source: source.id }], policy, ...agent });
      const name = source.tools?.find((each) => each.name === tool)?.toolName ?? tool;
      const turns = [{ toolCalls: [{ name, parameters }] }, { text: "done" }];
      const execution = await execute(world, id, { input: "hello", script: { turns } });
      const answer = await world.call("listToolCalls", { params: { id: execution.id } });
      const { data } = expectStatus(answer, 200) as { data: JsonValue[] };
      return toolCallRecordSchema.parse(data[0]);
    },
  };
}
