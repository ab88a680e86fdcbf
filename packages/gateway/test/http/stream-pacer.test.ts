import { expect, it } from "vitest";
import { StreamPacer } from "../../src/http/responses/event-stream.ts";

const MEBIBYTE = 1_048_576;
const of = (executionId: string) => ({ workspaceId: "ws_a", executionId });
const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

it("streams that write little are not held up", () => {
  const pacer = new StreamPacer();
  const { signal } = new AbortController();
  for (let count = 0; count < 100; count += 1) expect(pacer.wait(of("one"), 200, signal)).toBeUndefined();
});

it("many streams that write much share the turns of the event loop, and none waits behind all of another's", async () => {
  const pacer = new StreamPacer();
  const { signal } = new AbortController();
  const sent: string[] = [];
  const send = async (executionId: string) => {
    await pacer.wait(of(executionId), MEBIBYTE, signal);
    sent.push(executionId);
  };
  const all = [...Array.from({ length: 8 }, () => send("busy")), send("other")];
  await Promise.resolve();
  expect(sent).toHaveLength(2);
  await nextIteration();
  expect(sent).toEqual(["busy", "busy", "busy", "other"]);
  await Promise.all(all);
  expect(sent).toHaveLength(9);
});

it("a stream whose reader leaves stops waiting and uses no budget", async () => {
  const pacer = new StreamPacer();
  const { signal } = new AbortController();
  const leaving = new AbortController();
  pacer.wait(of("one"), 4 * MEBIBYTE, signal);
  const left = Array.from({ length: 5 }, () => pacer.wait(of("one"), MEBIBYTE, leaving.signal));
  let isSent = false;
  const stays = pacer.wait(of("one"), MEBIBYTE, signal)?.then(() => {
    isSent = true;
  });
  leaving.abort();
  await Promise.all(left);
  expect(isSent).toBe(false);
  await nextIteration();
  expect(isSent).toBe(true);
  await stays;
  expect(pacer.wait(of("one"), MEBIBYTE, leaving.signal)).toBeUndefined();
});
