import { writeSync } from "node:fs";
import { appendTo } from "../../src/events/event-store.ts";
import type { Store } from "../../src/port.ts";
import { appendOf, entryOf, executionOf } from "./fixtures.ts";

const EXECUTIONS = 4;
const MAX_ENTRIES = 3;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Synchronous: what a kill leaves in the pipe was acknowledged. */
function acknowledge(line: string): void {
  for (;;) {
    try {
      writeSync(process.stdout.fd, line);
      return;
    } catch (error) {
      // The pipe is full as long as its reader has something else to do.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

async function advanceForever(store: Store): Promise<never> {
  const { execution } = await store.eventStore.create(executionOf("ws_a"));
  let seq = 0;
  for (let round = 0; ; round += 1) {
    const of = 1 + (round % MAX_ENTRIES);
    const entries = Array.from({ length: of }, (_, index) =>
      entryOf(execution.id, seq + index + 1, { type: "execution.cancel_requested", position: index + 1, of }),
    );
    const outcome = await appendTo(store.eventStore, appendOf(execution.id, seq, { epoch: 1, entries }));
    if (outcome !== "appended") throw new Error(`expected the append to succeed, got ${outcome}`);
    seq += of;
    acknowledge(`${execution.id} ${seq}\n`);
  }
}

/** The work of a process that is going to be killed. See `StoreHarness.startAppender`. */
export async function appendForever(store: Store): Promise<void> {
  await Promise.all(Array.from({ length: EXECUTIONS }, () => advanceForever(store)));
}
