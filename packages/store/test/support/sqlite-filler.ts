import { writeSync } from "node:fs";
import { YagateError } from "@yagate/protocol";
import { appendTo } from "../../src/events/event-store.ts";
import { openSqliteStore } from "../../src/sqlite.ts";
import { appendOf, executionOf } from "./fixtures.ts";

// The default answer to a write past the process's file size limit is to end; with a listener the write fails instead.
process.on("SIGXFSZ", () => undefined);

const [, , dataDir = ""] = process.argv;
const store = await openSqliteStore({ dataDir });
const say = (line: string) => writeSync(process.stdout.fd, `${line}\n`);

/** Appends in pairs that share a commit until the disk is full, then once more. */
async function fill(): Promise<void> {
  const { execution } = await store.eventStore.create(executionOf("ws_a"));
  say(`execution ${execution.id}`);
  const message = { role: "assistant", text: "x".repeat(20_000) };
  for (let seq = 0; ; seq += 2) {
    const outcomes = await Promise.allSettled([0, 1].map((offset) => append(execution.id, seq + offset, message)));
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure !== undefined) {
      if (!YagateError.is(failure.reason)) throw failure.reason;
      say(`refused ${outcomes.filter(({ status }) => status === "rejected").length} ${failure.reason.code}`);
      say(`reason ${failure.reason.message}`);
      say(`readable ${(await store.eventStore.entries(execution.id, 0)).length}`);
      return;
    }
    say(`acknowledged ${seq + 2}`);
  }
}

function append(executionId: string, expectedSeq: number, message: { role: string; text: string }) {
  const change = appendOf(executionId, expectedSeq, { epoch: 1 });
  return appendTo(store.eventStore, {
    ...change,
    entries: change.entries.map((entry) => ({ ...entry, assistantMessage: message })),
  });
}

await fill();
