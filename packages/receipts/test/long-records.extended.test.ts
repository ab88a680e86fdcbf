import { verifyReceipt } from "@yagate/protocol";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { makeTemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { makeAgentAndWorkspace, playOn, receiptsOn } from "./support/receipt-world.ts";
import { IDS, storyAppends, storyExecution } from "./support/story.ts";

const COPIES = 30;
/** Some 350 KB each as JSON. */
const ROWS = Array.from({ length: 25_000 }, (_, id) => ({ id }));

/** A record of some 10 MB: the story, with calls of large parameters in it. */
async function longRecord() {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const store = await openSqliteStore({ dataDir: directory.path });
  onTestFinished(() => store.close());
  await makeAgentAndWorkspace(store);
  const { eventStore, keys, service } = receiptsOn(store);
  await eventStore.create(storyExecution("exec_a"));
  const [first = [], ...rest] = storyAppends("exec_a");
  const call = first.concat(...rest).find(({ event }) => event.type === "tool_call.requested");
  if (call === undefined) throw new Error("expected the story to have a tool call");
  const large = { event: { ...call.event, parameters: { rows: ROWS } } };
  const appends = [first, ...Array.from({ length: COPIES }, () => [large]), ...rest];
  let seq = 0;
  const numbered = appends.map((entries) =>
    entries.map((entry) => {
      seq += 1;
      return { ...entry, event: { ...entry.event, seq } };
    }),
  );
  await playOn(eventStore, "exec_a", numbered);
  return { keys, service };
}

/** How long a work took, and the longest that others had to wait for their turn meanwhile, in ms. */
async function measured<T>(work: () => Promise<T>) {
  let longest = 0;
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const ticker = setInterval(tick, 1);
  const startedAt = performance.now();
  try {
    const value = await work();
    tick();
    return { value, longest, total: performance.now() - startedAt };
  } finally {
    clearInterval(ticker);
  }
}

it("the receipt of a long record lets others have their turn while it is made", async () => {
  const { keys, service } = await longRecord();
  const { value, longest, total } = await measured(() => service.receiptAndJson(IDS.workspace, "exec_a"));
  expect(value.json.length).toBeGreaterThan(9_000_000);
  const receipt = JSON.parse(value.json);
  expect(receipt).toMatchObject({ verified: true, isFinal: true });
  expect(await verifyReceipt(receipt, keys.keySet(IDS.workspace))).toMatchObject({ verified: true });
  expect(receipt).toEqual(value.receipt);

  expect(longest).toBeLessThan(total / 4);
}, 60_000);
