import {
  type JsonObject,
  pageSchema,
  type StreamEvent,
  type ToolCallRecord,
  toolCallRecordSchema,
} from "@yagate/protocol";
import {
  type ServedTask,
  startTaskServer,
  type TaskServer,
  type TaskServerOptions,
} from "../../../../mcp/test/client/support/task-server.ts";
import { makeAgent, start } from "./agents.ts";
import { EventReader } from "./event-reader.ts";
import type { McpWorld } from "./mcp-world.ts";

/** An execution with one call of a tool whose server continues calls as tasks. */
export interface StartedCall {
  readonly server: TaskServer;
  readonly sourceId: string;
  readonly id: string;
  /** Follows the execution from its start. */
  readonly reader: EventReader;
  call(): Promise<ToolCallRecord>;
  /** All events of the call so far, after its request. */
  events(): Promise<readonly StreamEvent[]>;
  /** Waits for the end of the execution. */
  end(): Promise<ToolCallRecord>;
  cancel(): Promise<void>;
}

/** Starts a server with one tool, and an execution that calls it. */
export async function startTaskCall(
  world: McpWorld,
  options: TaskServerOptions = {},
  rest: JsonObject = {},
): Promise<StartedCall> {
  const server = await startTaskServer(options);
  const source = await world.makeMcpSource(server, rest);
  const { id: agentId } = await makeAgent(world, { tools: [{ source: source.id }], policy: { network: true } });
  const [tool] = source.tools ?? [];
  const turns = [{ toolCalls: [{ name: tool?.toolName ?? "", parameters: {} }] }, { text: "done" }];
  const { id } = await start(world, agentId, { input: "go", script: { turns } });
  const follow = async () => new EventReader(await world.open("followExecution", { params: { id } }));
  const reader = await follow();
  const call = async () => {
    const listed = await world.call("listToolCalls", { params: { id } });
    const [first] = pageSchema(toolCallRecordSchema).parse(listed.body).data;
    if (first === undefined) throw new Error("expected a call");
    return first;
  };
  return {
    ...{ server, sourceId: source.id, id, reader, call },
    async events() {
      const all = (await (await follow()).all()).map(({ data }) => data);
      return all.filter((event) => "toolCallId" in event && event.type !== "tool_call.requested");
    },
    async end() {
      await reader.all();
      return call();
    },
    async cancel() {
      await world.call("cancelExecution", { params: { id } });
    },
  };
}

/** Starts a call, and waits until the server has created its task. */
export async function startTask(
  ...options: Parameters<typeof startTaskCall>
): Promise<StartedCall & { readonly task: ServedTask }> {
  const started = await startTaskCall(...options);
  await started.reader.until("task.created");
  const [task] = started.server.tasks.values();
  if (task === undefined || started.server.tasks.size > 1) throw new Error("expected one task");
  return { ...started, task };
}
