import type { AgentDefinition, ExecuteRequest, ExecutionResult } from "@yagate/client";
import {
  attemptDetailSchema,
  executionEventSchema,
  executionSchema,
  type ToolCallRecord,
  toolCallRecordSchema,
} from "@yagate/protocol";
import { expect } from "vitest";
import { z } from "zod";
import { type ModelServer, startModelServer, type WireTurn } from "./model-server.ts";
import { type RawService, startRawService, toolAt } from "./services.ts";
import { openWorld, type World } from "./world.ts";

/** A real gateway between a model that a test wrote and a service that answers everything. */
export interface HostileWorld extends World {
  readonly model: ModelServer;
  readonly service: RawService;
  /** Executes an agent whose tool is `lookup_order`, and holds the record to what must be true of every one. */
  ask(
    request?: Partial<ExecuteRequest>,
    agent?: Partial<AgentDefinition>,
    form?: { readonly isStreamed: boolean },
  ): Promise<ExecutionResult>;
}

const pageSchema = z.object({ data: z.array(toolCallRecordSchema), nextCursor: z.string().nullable() });

/** The model says these turns; the last one again and again. */
export async function openHostileWorld(turns: readonly WireTurn[]): Promise<HostileWorld> {
  const model = await startModelServer(turns);
  const world = await openWorld({ providers: { openai: { apiKey: "sk-test", baseUrl: model.url } } });
  const service = await startRawService((response) => void response.json({ result: "shipped" }));
  return {
    ...world,
    model,
    service,
    async ask(request = {}, agent = {}, { isStreamed } = { isStreamed: true }) {
      const tools = [toolAt(service.url, { sideEffect: "read_only" })];
      const saved = await world.createAgent(tools, { model: "openai/hostile", ...agent });
      const asked = { input: "Where is my order?", ...request };
      const execution = isStreamed
        ? await world.client.agents.execute(saved.id, asked)
        : await executeUnheard(world, saved.id, asked);
      await expectSoundRecord(world, execution);
      expectAnsweredCalls(model);
      return execution;
    },
  };
}

/** Whoever only waits for the end is no listener, so the model is asked for the whole answer at once. */
async function executeUnheard({ url, apiKey, client }: World, agentId: string, request: ExecuteRequest) {
  const response = await fetch(`${url}/v1/agents/${agentId}/executions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", prefer: "wait=30" },
    body: JSON.stringify(request),
  });
  const { id } = executionSchema.parse(await response.json());
  return client.executions.events(id).result();
}

/** What must be true of every record, whatever the model did. */
export async function expectSoundRecord({ url, apiKey }: World, { id }: ExecutionResult): Promise<void> {
  const get = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    return response;
  };
  const execution = executionSchema.parse(await (await get(`/v1/executions/${id}`)).json());
  expect(["completed", "failed", "cancelled"]).toContain(execution.status);

  const stream = await (await get(`/v1/executions/${id}/events`)).text();
  const lines = stream.split("\n").filter((line) => line.startsWith("data: "));
  const events = lines.map((line) => executionEventSchema.parse(JSON.parse(line.slice("data: ".length))));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));

  const calls: ToolCallRecord[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await get(`/v1/executions/${id}/tool-calls?limit=200${cursor === "" ? "" : `&cursor=${cursor}`}`);
    const { data, nextCursor } = pageSchema.parse(await page.json());
    calls.push(...data);
    cursor = nextCursor;
  }
  expect(calls).toHaveLength(execution.usage.toolCalls);
  for (const call of calls) {
    const ends = events.filter(
      (event) =>
        (event.type === "tool_call.completed" ||
          event.type === "tool_call.denied" ||
          event.type === "tool_call.failed") &&
        event.toolCallId === call.id,
    );
    expect(ends).toHaveLength(1);
    expect(call.finishedAt).not.toBeNull();
    for (const attempt of call.attempts) {
      attemptDetailSchema.parse(await (await get(`/v1/attempts/${attempt.id}`)).json());
    }
  }
  await get("/healthz");
}

/** Every request repeats the conversation with one answer for every call, in its order, right behind its turn. */
export function expectAnsweredCalls({ requests }: ModelServer): void {
  for (const { messages, text } of requests) {
    for (const [index, { role, tool_calls: asked = [] }] of messages.entries()) {
      if (role !== "assistant") continue;
      const answers = messages.slice(index + 1, index + 1 + asked.length);
      expect(answers.map((answer) => [answer.role, answer.tool_call_id])).toEqual(asked.map(({ id }) => ["tool", id]));
      expect(messages[index + 1 + asked.length]?.role).not.toBe("tool");
    }
    expect(text).not.toContain("developerMessage");
  }
}

/** What the model was told of its calls in the last request. */
export function toldLast({ requests }: ModelServer): readonly string[] {
  const messages = requests.at(-1)?.messages ?? [];
  const from = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(from + 1).map(({ content }) => String(content));
}
