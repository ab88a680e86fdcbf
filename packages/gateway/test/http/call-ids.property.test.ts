import { newCallId } from "@yagate/lib/ids/call-ids";
import { newId } from "@yagate/lib/ids/ids";
import { pageSchema, toolCallRecordSchema } from "@yagate/protocol";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { calling, makeAgent, problemOf, start } from "./support/agents.ts";
import type { Call } from "./support/api-caller.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());
const failing = await startHandler({ status: 500, body: { error: { code: "BROKEN", message: "it broke" } } });

/** An execution whose failed call is held for a fallback. */
async function hold(call: Call) {
  const agent = await makeAgent(world, { tools: [workTool(failing.url)] }, call);
  const { id } = await start(world, agent.id, calling("work", { fallback: { waitMs: 600_000 } }), call);
  const stream = new EventReader(await world.open("followExecution", { params: { id }, ...call }));
  await stream.until("tool_call.failed");
  await stream.leave();
  const { body } = await world.call("listToolCalls", { params: { id }, ...call });
  const [held] = pageSchema(toolCallRecordSchema).parse(body).data;
  return { id, call: held?.id ?? "", attempt: held?.attempts[0]?.id ?? "" };
}

const other = await world.makeWorkspace("other");
const own = await hold({});
const second = await hold({});
const foreign = await hold({ key: other.key });
/** The ids that this workspace may read. */
const KNOWN = new Set([own.call, own.attempt, second.call, second.attempt]);

const ALPHABET = [..."0123456789abcdefghjkmnpqrstvwxyz"];
const OUTSIDE = [..."ilouZ_-"];
const tail = (id: string) => id.slice(-8);
const prefix = (id: string) => id.slice(0, id.indexOf("_") + 1);

/** Ids that are almost those of a call or an attempt. */
const tampered = fc.constantFrom(own.call, own.attempt, foreign.call, foreign.attempt).chain((id) => {
  const place = fc.integer({ min: prefix(id).length, max: id.length - 1 });
  const swap = (at: number, character: string) => `${id.slice(0, at)}${character}${id.slice(at + 1)}`;
  const execution = fc.constantFrom(own.id, second.id, foreign.id, newId("execution")).map((text) => text.slice(5));
  return fc.oneof(
    fc.tuple(place, fc.constantFrom(...ALPHABET, ...OUTSIDE)).map(([at, character]) => swap(at, character)),
    place.map((at) => `${id.slice(0, at)}${id.slice(at + 1)}`),
    fc.tuple(place, fc.constantFrom(...ALPHABET)).map(([at, added]) => `${id.slice(0, at)}${added}${id.slice(at)}`),
    execution.map((of) => `${prefix(id)}${of}${tail(id)}`),
    fc.tuple(execution, fc.nat(40_000)).map(([of, ordinal]) => newCallId("toolCall", `exec_${of}`, ordinal)),
    fc.constant(id),
  );
});

it("only the very id of a call or an attempt of this workspace finds it", async () => {
  for (const id of [own.call, second.call]) {
    expect(await world.call("getToolCall", { params: { id } })).toMatchObject({ status: 200, body: { id } });
  }
  for (const id of [own.attempt, second.attempt]) {
    expect(await world.call("getAttempt", { params: { id } })).toMatchObject({ status: 200, body: { id } });
  }
  await fc.assert(
    fc.asyncProperty(tampered, async (id) => {
      fc.pre(!KNOWN.has(id));
      const artifact = `art_${id.slice(id.indexOf("_") + 1)}`;
      const answers = [
        await world.call("getToolCall", { params: { id } }),
        await world.call("getAttempt", { params: { id } }),
        await world.call("answerFallback", { params: { id }, body: { result: 1 } }),
        await world.call("getArtifact", { params: { id: artifact } }),
      ];
      for (const answer of answers) expect(problemOf(answer)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    }),
    { numRuns: 150 },
  );
  for (const id of [own.call, second.call]) {
    expect(await world.call("getToolCall", { params: { id } })).toMatchObject({ body: { status: "waiting_fallback" } });
  }
});
