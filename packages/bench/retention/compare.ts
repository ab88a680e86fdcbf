import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendTo } from "@yagate/store/events/event-store";
import type { Store } from "@yagate/store/port";
import { createRetention } from "@yagate/store/retention/retention-pass";
import { hasPostgres, startPostgres } from "../../../test/services/postgres.ts";
import { openPostgresStore } from "../../store/src/postgres.ts";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { appendOf, entryOf, executionOf, summaryOf } from "../../store/test/support/fixtures.ts";

const OLD = 100_000;
const FILL_AT_ONCE = 500;
const WRITERS = 16;
/** Each writer appends about as often as an execution that waits for its handlers does. */
const WRITER_PAUSE_MS = 20;
const IDLE_MS = 15_000;
const DAY_MS = 86_400_000;

const message = (text: string) => ({
  headers: { "content-type": "application/json" },
  body: text,
  bodyBytes: text.length,
  isTruncated: false,
});

/** An execution of about the size of one with two turns and one call, which ended long ago. */
async function addOld({ eventStore }: Store, at: number): Promise<void> {
  const { execution } = await eventStore.create(executionOf("ws_a", { createdAt: at }));
  const { id } = execution;
  await appendTo(eventStore, {
    ...appendOf(id, 0),
    entries: [
      entryOf(id, 1, { type: "tool_call.requested", toolCallId: `tc_${id}`, text: "x".repeat(400) }),
      entryOf(id, 2, {
        type: "attempt.started",
        toolCallId: `tc_${id}`,
        attemptId: `att_${id}`,
        text: "x".repeat(400),
      }),
    ],
    exchanges: [{ attemptId: `att_${id}`, request: message("x".repeat(600)), response: message("x".repeat(200)) }],
  });
  await appendTo(eventStore, {
    ...appendOf(id, 2, { count: 4 }),
    summary: { ...summaryOf("completed"), finishedAt: at + 1 },
  });
}

async function fill(store: Store, at: number): Promise<void> {
  for (let made = 0; made < OLD; made += FILL_AT_ONCE) {
    await Promise.all(Array.from({ length: FILL_AT_ONCE }, () => addOld(store, at)));
  }
}

/** Appends to a few executions until it is stopped, and returns the duration of each append in ms. */
async function append({ eventStore }: Store, isOver: () => boolean): Promise<readonly number[]> {
  const took: number[] = [];
  const writer = async () => {
    const { execution } = await eventStore.create(executionOf("ws_a", { createdAt: Date.now() }));
    for (let seq = 0; !isOver(); seq += 1) {
      const before = performance.now();
      await appendTo(eventStore, appendOf(execution.id, seq));
      took.push(performance.now() - before);
      await new Promise((resolve) => setTimeout(resolve, WRITER_PAUSE_MS));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return took.toSorted((left, right) => left - right);
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;

async function compare(name: string, store: Store): Promise<void> {
  await fill(store, Date.now() - 40 * DAY_MS);
  const idleUntil = performance.now() + IDLE_MS;
  const idle = await append(store, () => performance.now() > idleUntil);
  const retention = createRetention({
    eventStore: store.eventStore,
    store: store.retention,
    audit: store.audit,
    toolSources: store.toolSources,
    auditRetentionDays: 90,
    owner: "bench",
    executionRetentionDays: 30,
    now: Date.now,
    onError: (error) => console.error(error),
  });
  let isOver = false;
  const before = performance.now();
  const deleting = retention.pass().finally(() => {
    isOver = true;
  });
  const busy = await append(store, () => isOver);
  const deleted = await deleting;
  const seconds = (performance.now() - before) / 1_000;
  const line = (share: number) =>
    `p${share * 100} ${at(busy, share).toFixed(2)} ms against ${at(idle, share).toFixed(2)} ms: ${(at(busy, share) / at(idle, share)).toFixed(2)}`;
  console.log(
    `retention, ${name}: ${deleted} rows and executions deleted in ${seconds.toFixed(0)} s; appends meanwhile: ${[0.5, 0.99].map(line).join("; ")}; slowest ${at(busy, 0.99999).toFixed(0)} ms against ${at(idle, 0.99999).toFixed(0)} ms`,
  );
}

/** How long appends take while 100 000 old executions are deleted, as a ratio to when nothing else happens. */
export async function benchRetention(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-bench-"));
  const sqlite = await openSqliteStore({ dataDir });
  await compare("SQLite", sqlite);
  await sqlite.close();
  await rm(dataDir, { recursive: true, force: true });
  if (!hasPostgres()) return;
  const server = await startPostgres();
  const postgres = await openPostgresStore({ databaseUrl: await server.createDatabase() });
  await compare("PostgreSQL", postgres);
  await postgres.close();
  await server.stop();
}
