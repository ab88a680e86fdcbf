import { createHash } from "node:crypto";
import { type CreateExecution, executionSchema, pageSchema, receiptSchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatewayConfig } from "../../../src/config/gateway-config.ts";
import { execute, expectStatus, makeAgent, start } from "../support/agents.ts";
import { EventReader } from "../support/event-reader.ts";
import { startHandler, workTool } from "../support/handler.ts";
import { startWorld, type World } from "../support/world.ts";
import type { JournalPlace } from "./stored-bytes.ts";

const SIZE = 3_500_000;
const INPUT_SIZE = 190_000;
const CALLS_WORK = { toolCalls: [{ name: "work", parameters: {} }] };

/** Compared in place of texts, which would fill the report of a failure. */
const digestOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** Text with what JSON escapes, and no two parts alike: nothing of it is stored twice by chance. */
export function textOf(characters: number, seed: string): string {
  const lines: string[] = [];
  let length = 0;
  for (let line = 0; length < characters; line += 1) {
    const text = `${createHash("sha256").update(`${seed} ${line}`).digest("base64")} "é" \\ 𝄞 ${line}\n`;
    lines.push(text);
    length += text.length;
  }
  return lines.join("").slice(0, characters);
}

const LOOK_ALIKE = `~1000000000042[[12,"abc",40000]]\n{"input":""}`;

/** Requests with a large text in each place where one can stand. */
function cases(): readonly (readonly [name: string, body: CreateExecution, bytes: number])[] {
  const large = textOf(SIZE, "script");
  const half = textOf(SIZE / 2, "half");
  const input = textOf(INPUT_SIZE, "input");
  const note = textOf(900_000, "note");
  const small = { text: "done" };
  const byTurns = (turns: NonNullable<CreateExecution["script"]>["turns"]): CreateExecution => ({
    input: "hello",
    script: { turns },
  });
  const bodies: readonly (readonly [string, CreateExecution])[] = [
    ["the last turn", byTurns([{ text: large }])],
    ["the first turn", byTurns([{ text: large, ...CALLS_WORK }, small])],
    ["a turn that is never played", byTurns([small, { text: large }])],
    ["the argument of a call", byTurns([{ toolCalls: [{ name: "work", parameters: { note } }] }, small])],
    ["the input", { ...byTurns([small]), input }],
    [
      "the input, and in what looks like a reference",
      { ...byTurns([{ text: LOOK_ALIKE }]), input: `${LOOK_ALIKE}${input.slice(LOOK_ALIKE.length)}` },
    ],
    ["two turns with the same text", byTurns([{ text: half, ...CALLS_WORK }, { text: half }])],
  ];
  return bodies.map(([name, body]) => [name, body, Buffer.byteLength(JSON.stringify(body))] as const);
}

/** What the API answers of an execution that has ended. */
export async function readAll(world: World, id: string) {
  const params = { params: { id } };
  const execution = executionSchema.parse(expectStatus(await world.call("getExecution", params), 200));
  const receipt = receiptSchema.parse(expectStatus(await world.call("getReceipt", params), 200));
  const stream = await fetch(`${world.url}/v1/executions/${id}/events`, {
    headers: { authorization: `Bearer ${world.key}`, accept: "text/event-stream" },
  });
  const events = (await new EventReader(stream).all()).map(({ data }) => data);
  return { execution, receipt, events };
}

/** Large texts over the API of a gateway on one kind of store. */
export function describeLargeTexts(
  name: string,
  createPlace: () => Promise<{ readonly config: Partial<GatewayConfig>; place(world: World): JournalPlace }>,
): void {
  describe(name, () => {
    let created: Awaited<ReturnType<typeof createPlace>>;
    let world: World;
    let eventStore: JournalPlace;
    const config = () => created.config;

    beforeAll(async () => {
      created = await createPlace();
      world = await startWorld(config());
      eventStore = created.place(world);
    });
    afterAll(() => world?.stop());

    async function restart(): Promise<void> {
      const { dataDir, key: apiKey } = world;
      await world.close();
      world = await startWorld({ ...config(), dataDir, apiKey });
    }

    async function worker(handlerBody: unknown = { result: "ok" }) {
      const handler = await startHandler({ body: handlerBody });
      return makeAgent(world, { tools: [workTool(handler.url)] });
    }

    it.each(cases())("stores a large text once: %s", async (_place, body, bytes) => {
      const agent = await worker();
      const before = await eventStore.bytes();
      const { id } = await execute(world, agent.id, body);
      const growth = (await eventStore.bytes()) - before;
      const read = await readAll(world, id);
      expect(read.execution.status).toBe("completed");
      expect(digestOf(read.execution.input)).toBe(digestOf(body.input));
      const played = (body.script?.turns ?? []).slice(0, body.script?.turns[0]?.toolCalls === undefined ? 1 : 2);
      const said = read.events.flatMap((event) => (event.type === "model.responded" ? [event.text] : []));
      expect(digestOf(said)).toBe(digestOf(played.map(({ text = "" }) => text)));
      expect(digestOf(read.execution.output?.text)).toBe(digestOf(said.at(-1)));
      const calls = read.events.flatMap((event) => (event.type === "tool_call.requested" ? [event.parameters] : []));
      const asked = played.flatMap(({ toolCalls = [] }) => toolCalls.map(({ parameters }) => parameters));
      expect(digestOf(calls)).toBe(digestOf(asked));
      expect(read.receipt).toMatchObject({ verified: true, isFinal: true, difference: null });
      const listed = pageSchema(executionSchema).parse(
        (await world.call("listExecutions", { query: { limit: "1" } })).body,
      );
      expect(digestOf(listed.data)).toBe(digestOf([read.execution]));
      await restart();
      expect(digestOf(await readAll(world, id))).toBe(digestOf(read));
      expect(growth / bytes).toBeLessThan(1.25);
    });

    it("stores a large result once", async () => {
      const result = textOf(400_000, "result");
      const agent = await worker({ result });
      const before = await eventStore.bytes();
      const { id } = await execute(world, agent.id, {
        input: "hello",
        script: { turns: [CALLS_WORK, { text: "done" }] },
      });
      const growth = (await eventStore.bytes()) - before;
      const { events, receipt } = await readAll(world, id);
      const results = events.flatMap((event) => (event.type === "tool_call.completed" ? [event.result] : []));
      expect(digestOf(results)).toBe(digestOf([result]));
      expect(receipt).toMatchObject({ verified: true });
      expect(growth / Buffer.byteLength(JSON.stringify({ result }))).toBeLessThan(1.25);
    });

    it("goes on after a restart in the middle, with the same idempotency key for the same execution", async () => {
      const handler = await startHandler({ isHeld: true });
      const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
      const [first, second] = [textOf(100_000, "first"), textOf(100_000, "second")];
      const body = { input: "hello", script: { turns: [{ text: first, ...CALLS_WORK }, { text: second }] } };
      const headers = { "idempotency-key": `key-${agent.id}` };
      const { id } = await start(world, agent.id, body, { headers });
      await handler.called(1);
      await restart();
      expect(await start(world, agent.id, body, { headers })).toMatchObject({ id });
      handler.release();
      await expect
        .poll(async () => (await world.call("getExecution", { params: { id } })).body, {
          timeout: 30_000,
          interval: 200,
        })
        .toMatchObject({ status: "completed", output: { text: second } });
      expect(await readAll(world, id)).toMatchObject({ receipt: { verified: true, difference: null } });
    });

    it("finds one changed character in a text that is stored once, and reads the rest as before", async () => {
      const agent = await worker();
      const text = `wanted ${textOf(100_000, "changed")}`;
      const said = await execute(world, agent.id, { input: "hello", script: { turns: [{ text }] } });
      const asked = await execute(world, agent.id, { input: text, script: { turns: [{ text: "done" }] } });
      await world.close();
      await eventStore.run("UPDATE execution_texts SET text = 'W' || substr(text, 2) WHERE text LIKE 'wanted%'");
      world = await startWorld({ ...config(), dataDir: world.dataDir, apiKey: world.key });
      for (const { id } of [said, asked]) {
        const { receipt } = await readAll(world, id);
        expect(receipt).toMatchObject({ verified: false, isFinal: false, signature: null, difference: { seq: 0 } });
      }
    });
  });
}
