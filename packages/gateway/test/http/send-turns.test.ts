import { expect, it } from "vitest";
import { SendTurns } from "../../src/http/responses/send-turns.ts";

const MEBIBYTE = 1_048_576;
const of = (executionId: string) => ({ workspaceId: "ws_a", executionId });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it("streams that write little are not held up", () => {
  const turns = new SendTurns();
  const { signal } = new AbortController();
  for (let count = 0; count < 100; count += 1) expect(turns.wait(of("one"), 200, signal)).toBeUndefined();
});

it("many streams that write much share the turns of the event loop, and none waits behind all of another's", async () => {
  const turns = new SendTurns();
  const { signal } = new AbortController();
  const sent: string[] = [];
  const send = async (executionId: string) => {
    await turns.wait(of(executionId), MEBIBYTE, signal);
    sent.push(executionId);
  };
  const all = [...Array.from({ length: 8 }, () => send("busy")), send("other")];
  await Promise.resolve();
  expect(sent).toHaveLength(2);
  await nextTurn();
  expect(sent).toEqual(["busy", "busy", "busy", "other"]);
  await Promise.all(all);
  expect(sent).toHaveLength(9);
});

it("a stream whose reader leaves waits no longer, and takes no turn", async () => {
  const turns = new SendTurns();
  const { signal } = new AbortController();
  const leaving = new AbortController();
  turns.wait(of("one"), 4 * MEBIBYTE, signal);
  const left = Array.from({ length: 5 }, () => turns.wait(of("one"), MEBIBYTE, leaving.signal));
  let isSent = false;
  const stays = turns.wait(of("one"), MEBIBYTE, signal)?.then(() => {
    isSent = true;
  });
  leaving.abort();
  await Promise.all(left);
  expect(isSent).toBe(false);
  await nextTurn();
  expect(isSent).toBe(true);
  await stays;
  expect(turns.wait(of("one"), MEBIBYTE, leaving.signal)).toBeUndefined();
});
