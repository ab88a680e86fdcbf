import { type ExecutionEvent, executionEventSchema, workspaceToolSchema } from "@yagate/protocol";
import { expectStatus, start } from "./agents.ts";
import { EventReader } from "./event-reader.ts";
import { workTool } from "./handler.ts";
import type { World } from "./world.ts";

export const PARAMETERS = {
  type: "object",
  properties: { orderId: { type: "string" } },
  required: ["orderId"],
  additionalProperties: false,
};
export const INTENT = { name: "business.order.query", description: "Looks up an order.", parameters: PARAMETERS };
/** The name under which models call the intent. */
export const TOOL = "business_order_query";

let count = 0;

/** A capability; fields other than these belong to its entry. */
export interface ShopCapability {
  readonly url: string;
  /** What the tool of the capability declares in addition. */
  readonly tool?: object;
  readonly [field: string]: unknown;
}

function newName(): string {
  count += 1;
  return `shop-${count}`;
}

/** Makes a workspace with the intent, and a capability for each of the given handlers, from shop.a on. */
export async function makeShop(world: World, capabilities: readonly ShopCapability[], name = newName()) {
  const { key, workspaceId } = await world.makeWorkspace(name);
  expectStatus(await world.call("createIntent", { body: INTENT, key }), 201);
  for (const [index, { url, tool, ...fields }] of capabilities.entries()) {
    const toolName = `lookup_${"abc"[index]}`;
    const definition = workTool(url, { name: toolName, parameters: PARAMETERS, sideEffect: "read_only", ...tool });
    const { id } = workspaceToolSchema.parse(
      expectStatus(await world.call("createTool", { body: { definition }, key }), 201),
    );
    const body = { key: `shop.${"abc"[index]}`, intent: INTENT.name, mode: "runtime_function", target: { tool: id } };
    expectStatus(await world.call("createCapability", { body: { ...body, ...fields }, key }), 201);
  }
  return { key, workspaceId };
}

/** A request whose execution calls the intent in each of its turns, then says that it is done. */
export const asking = (turns = 1) => ({
  input: "Where is my order?",
  script: {
    turns: [
      ...Array.from({ length: turns }, () => ({ toolCalls: [{ name: TOOL, parameters: { orderId: "ORD-7" } }] })),
      { text: "done" },
    ],
  },
});

/** Runs an execution to its end and returns its events. */
export async function eventsOf(
  world: World,
  { agentId, body, key }: { readonly agentId: string; readonly body: object; readonly key: string },
): Promise<readonly ExecutionEvent[]> {
  const { id } = await start(world, agentId, Object(body), { key });
  return eventsOfExecution(world, { id, key });
}

/** Follows an execution to its end and returns its events. */
export async function eventsOfExecution(
  world: World,
  { id, key }: { readonly id: string; readonly key: string },
): Promise<readonly ExecutionEvent[]> {
  const reader = new EventReader(await world.open("followExecution", { params: { id }, key }));
  return (await reader.all()).flatMap(({ data }) => {
    const parsed = executionEventSchema.safeParse(data);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Returns the events of one type. */
export const of = <Type extends ExecutionEvent["type"]>(events: readonly ExecutionEvent[], type: Type) =>
  events.filter((event): event is Extract<ExecutionEvent, { type: Type }> => event.type === type);
