import type { OtherString } from "@yagate/protocol";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import {
  type Agent,
  ApiError,
  type ExecutionResult,
  type ExecutionStatus,
  type FieldError,
  type JsonValue,
  type OnToolError,
  type Page,
  type PagedList,
  type StreamEvent,
  type ToolCallRecord,
  type ToolFailure,
  Yagate,
  type YagateError,
} from "../src/index.ts";

const client = new Yagate();
const base = { name: "orders", model: "scripted/keyword" };
const tool = { name: "lookup_order", description: "Looks an order up", handler: "https://orders.example/tools" };

// Parameters: a JSON Schema, written in place, before, or as const; or a Zod object of any strictness.
const written = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
const constant = { type: "object", properties: { id: { type: "string" } }, required: ["id"] } as const;
expectTypeOf(
  client.agents.create({
    ...base,
    tools: [
      { builtin: "calculator" },
      { ...tool, parameters: { type: "object" }, timeout: 5_000, retries: 2, sideEffect: "read_only" },
      { ...tool, parameters: written },
      { ...tool, parameters: constant },
      { ...tool, parameters: z.object({ id: z.string() }) },
      { ...tool, parameters: z.strictObject({ id: z.string().optional() }).refine(() => true) },
      { ...tool, parameters: z.looseObject({ nested: z.object({ at: z.iso.datetime() }) }) },
      { ...tool, parameters: mini.object({ id: mini.string() }) },
    ],
  }),
).toEqualTypeOf<Promise<Agent>>();

// @ts-expect-error: parameters are an object
client.agents.create({ ...base, tools: [{ ...tool, parameters: z.string() }] });
// @ts-expect-error: a handler tool has a handler
client.agents.create({ ...base, tools: [{ name: "a", description: "b", parameters: written }] });
// @ts-expect-error: there is no such built-in tool
client.agents.create({ ...base, tools: [{ builtin: "time_machine" }] });
// @ts-expect-error: there is no such side effect
client.agents.create({ ...base, tools: [{ ...tool, parameters: written, sideEffect: "some" }] });
// @ts-expect-error: an agent has a model
client.agents.create({ name: "orders" });
// @ts-expect-error: a typo
client.agents.update("agt_01", { sytemPrompt: "" });

// What was read can be written again.
declare const agent: Agent;
client.agents.update(agent.id, { version: agent.version, tools: agent.tools });

// onToolError: a result, nothing, or a promise of either.
const run = (onToolError: OnToolError) => client.agents.execute("agt_01", { input: "hello", onToolError });
run(() => ({ result: { any: ["json", 1, null] } }));
run(() => undefined);
run(() => {});
run(async () => {});
run(async (error) => (error.retryable ? undefined : { result: new Date() }));
run((error) => {
  expectTypeOf(error).toEqualTypeOf<ToolFailure>();
  expectTypeOf(error.code).toEqualTypeOf<string>();
  expectTypeOf(error.outcome).toEqualTypeOf<"none" | "unknown" | OtherString>();
  expectTypeOf(error.source).toEqualTypeOf<"gateway" | "handler" | OtherString>();
  expectTypeOf(error.toolName).toEqualTypeOf<string>();
  expectTypeOf(error.executionId).toEqualTypeOf<string>();
  expectTypeOf(error.parameters).toEqualTypeOf<JsonValue>();
});
// @ts-expect-error: a fallback is { result }
run(() => "on its way");
// @ts-expect-error: a fallback is { result }
run(async () => ({ value: 1 }));

// Results.
declare const result: ExecutionResult;
expectTypeOf(client.agents.execute("agt_01", { input: "hello" })).toEqualTypeOf<Promise<ExecutionResult>>();
expectTypeOf(result.output?.text).toEqualTypeOf<string | undefined>();
expectTypeOf(result.toolCalls).toEqualTypeOf<readonly ToolCallRecord[]>();
expectTypeOf(result.status).toEqualTypeOf<ExecutionStatus | OtherString>();
expectTypeOf(result.usage.inputTokens).toEqualTypeOf<number>();

// Streams narrow by type, and have no onEvent.
async function read() {
  for await (const event of client.agents.stream("agt_01", { input: [{ role: "user", content: "hello" }] })) {
    expectTypeOf(event).toEqualTypeOf<StreamEvent>();
    if (event.type === "text.delta") expectTypeOf(event.text).toEqualTypeOf<string>();
    if (event.type === "execution.completed") expectTypeOf(event.output.text).toEqualTypeOf<string>();
  }
}
expectTypeOf(read).returns.toEqualTypeOf<Promise<void>>();
// @ts-expect-error: the loop gets the events
client.agents.stream("agt_01", { input: "hello", onEvent: () => {} });
// @ts-expect-error: nobody listens after start
client.agents.start("agt_01", { input: "hello", onToolError: () => undefined });
// @ts-expect-error: only users and assistants speak
client.agents.execute("agt_01", { input: [{ role: "system", content: "hello" }] });
// @ts-expect-error: onToolError asks for the fallback
client.agents.execute("agt_01", { input: "hello", fallback: { waitMs: 1 } });

// Options may be undefined, so that they can be passed on.
new Yagate({ baseUrl: process.env["URL"], apiKey: process.env["KEY"], fetch: globalThis.fetch, timeoutMs: undefined });
client.agents.execute("agt_01", { input: "hello", signal: undefined, onToolError: undefined, onEvent: undefined });

// A key is a text, or a function that gives one now or later.
new Yagate({ apiKey: () => "yt_1" });
new Yagate({ apiKey: async () => "yt_1" });
// @ts-expect-error: and nothing else
new Yagate({ apiKey: async () => ({ token: "yt_1" }) });
expectTypeOf(client.executions.createToken("exec_01", { expiresInSeconds: 60 })).resolves.toExtend<{
  token: string;
  executionId: string;
  expiresAt: string;
}>();

// Lists.
expectTypeOf(client.agents.list()).toEqualTypeOf<PagedList<Agent>>();
expectTypeOf(client.agents.list().page()).toEqualTypeOf<Promise<Page<Agent>>>();
expectTypeOf(client.agents.list().toArray()).toEqualTypeOf<Promise<Agent[]>>();

// Errors.
declare const error: unknown;
if (ApiError.is(error)) {
  expectTypeOf(error).toExtend<YagateError>();
  expectTypeOf(error.fieldErrors).toEqualTypeOf<readonly FieldError[]>();
  expectTypeOf(error.requestId).toEqualTypeOf<string | null>();
}
