import { Yagate } from "@yagate/client";
import { defineTool } from "@yagate/handler";
import { afterAll, expect, it } from "vitest";
import * as z from "zod";
import { runCheck } from "./support/run-check.ts";
import { SECRET } from "./support/signed-request.ts";
import { startChangingHandler, startSourceWorld } from "./support/source-world.ts";

const { env, sources, stop } = await startSourceWorld();
afterAll(stop);
const client = new Yagate({ baseUrl: env.YAGATE_BASE_URL, apiKey: env.YAGATE_API_KEY });

const guestsSchema = z.object({ guests: z.number() });
function bookTable() {
  return defineTool({
    ...{ name: "book_table", description: "Book a table.", parameters: guestsSchema, sideEffect: "read_only" },
    execute: ({ guests }) => ({ booked: guests }),
  });
}

async function callOf(tools: object, name: string, parameters: object) {
  const { id: agent } = await client.agents.create({ name: "host", model: "scripted/turns", ...tools });
  const script = { turns: [{ toolCalls: [{ name, parameters: { ...parameters } }] }, { text: "Done." }] };
  const { id } = await client.agents.execute(agent, { input: "Book a table.", script });
  const [call] = await client.executions.toolCalls(id).toArray();
  expect(call).toMatchObject({ name, status: "completed" });
  return call?.id ?? expect.fail("no call");
}

/** Sends the call to a handler that has not seen it. */
async function send(id: string) {
  const local = await startChangingHandler([bookTable()]);
  const sent = await runCheck(["calls", "send", id, "--to", local.url, "--json"], {
    env: { ...env, YAGATE_SIGNING_SECRET: SECRET },
  });
  return { status: sent.status, answer: JSON.parse(sent.stdout) };
}

it("calls of a source's tool, and calls of an intent, are sent with the name and the arguments of the tool", async () => {
  const handler = await startChangingHandler([bookTable()]);
  expect(await sources("add", handler.url, "--name", "tools", "--yes")).toMatchObject({ status: 0 });
  const sourced = await callOf({ tools: [{ source: "tools" }] }, "tools.book_table", { guests: 4 });
  expect(await send(sourced)).toMatchObject({ status: 0, answer: { body: '{"result":{"booked":4}}' } });

  const parameters = { type: "object" as const, properties: { guests: { type: "number" } }, required: ["guests"] };
  const definition = { name: "book_table", description: "Book a table.", parameters, handler: handler.url };
  const tool = await client.tools.create({ definition: { ...definition, sideEffect: "read_only" } });
  const asked = { type: "object", properties: { people: { type: "number" } }, required: ["people"] };
  await client.intents.create({ name: "table.book", description: "Book a table.", parameters: asked });
  await client.capabilities.create({
    ...{ key: "shop.book_table", intent: "table.book", mode: "runtime_function", target: { tool: tool.id } },
    args: { guests: "${people}" },
  });
  const served = await callOf({ tools: [{ intent: "table.book" }] }, "table_book", { people: 2 });
  expect(await send(served)).toMatchObject({ status: 0, answer: { body: '{"result":{"booked":2}}' } });
});
