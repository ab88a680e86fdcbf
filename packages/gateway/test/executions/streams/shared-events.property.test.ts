import type { ExecutionEvent } from "@yagate/protocol";
import { appendTo } from "@yagate/store/events/event-store";
import type { EventStore, Store } from "@yagate/store/port";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSqliteStore } from "../../../../store/src/sqlite.ts";
import { appendOf, entryOf, executionOf, NOW } from "../../../../store/test/support/fixtures.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../../../store/test/support/temporary-directory.ts";
import type { EncodedEvent } from "../../../src/executions/streams/event-cache.ts";
import { follow } from "../../../src/executions/streams/follow.ts";
import { SharedEvents } from "../../../src/executions/streams/shared-events.ts";

let directory: TemporaryDirectory;
let store: Store;
beforeAll(async () => {
  directory = await makeTemporaryDirectory();
  store = await openSqliteStore({ dataDir: directory.path, now: () => NOW });
});
afterAll(async () => {
  await store.close();
  await directory.remove();
});

type Move =
  | { readonly do: "append"; readonly execution: number; readonly sizes: readonly number[] }
  | { readonly do: "join"; readonly execution: number; readonly afterSeq: number }
  | { readonly do: "read"; readonly reader: number; readonly count: number }
  | { readonly do: "leave"; readonly reader: number };

const execution = fc.nat({ max: 1 });
const reader = fc.nat();
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      execution,
      sizes: fc.array(fc.constantFrom(0, 100, 5_000, 300_000), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("join" as const), execution, afterSeq: fc.nat({ max: 12 }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("read" as const), reader, count: fc.nat({ max: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("leave" as const), reader }) },
);

/** A log that only the test appends to. */
class Log {
  readonly id: string;
  lastSeq = 0;

  constructor(id: string) {
    this.id = id;
  }

  async append(types: readonly { readonly type: ExecutionEvent["type"]; readonly size: number }[]): Promise<void> {
    const entries = types.map(({ type, size }, index) =>
      entryOf(this.id, this.lastSeq + index + 1, { type, text: "x".repeat(size) }),
    );
    expect(await appendTo(store.eventStore, appendOf(this.id, this.lastSeq, { entries }))).toBe("appended");
    this.lastSeq += entries.length;
  }
}

/** Reads at its own pace: as many events as it was told to, while everything else goes on. */
class Reader {
  readonly log: Log;
  readonly afterSeq: number;
  readonly seqs: number[] = [];
  readonly #leaving = new AbortController();
  readonly #events: AsyncGenerator<EncodedEvent, void, void>;
  #last: Promise<void> = Promise.resolve();

  constructor(source: { eventStore: EventStore; events: SharedEvents }, log: Log, afterSeq: number) {
    this.log = log;
    this.afterSeq = afterSeq;
    const subject = { workspaceId: "ws_a", executionId: log.id };
    this.#events = follow(source, subject, afterSeq, this.#leaving.signal);
  }

  read(count: number): void {
    this.#last = this.#last.then(async () => {
      for (let left = count; left > 0; left -= 1) {
        const { value } = await this.#events.next();
        if (value === undefined) return;
        expect(Buffer.from(value.text).toString()).toContain(`"seq":${value.seq},"executionId":"${this.log.id}"`);
        this.seqs.push(value.seq);
      }
    });
  }

  leave(): Promise<void> {
    this.#leaving.abort();
    return this.#last;
  }

  async end(): Promise<void> {
    this.read(Number.POSITIVE_INFINITY);
    await this.#last;
  }
}

it("each reader gets every event once and in order, however many share the pages and whenever they come and go", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { maxLength: 40 }),
      fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 9 }),
      fc.constantFrom(4_000, 400_000, 10_000_000),
      async (moves, delays, maxCachedBytes) => {
        let pages = 0;
        // As from a database elsewhere: what comes back is as old as the asking, and later reads may be faster.
        const eventStore: EventStore = {
          ...store.eventStore,
          async entryPage(...place) {
            const page = await store.eventStore.entryPage(...place);
            pages += 1;
            for (let turn = delays[pages % delays.length] ?? 0; turn > 0; turn -= 1) {
              await new Promise((resolve) => setImmediate(resolve));
            }
            return page;
          },
        };
        const source = { eventStore, events: new SharedEvents({ eventStore, maxCachedBytes }) };
        const create = async () => new Log((await store.eventStore.create(executionOf("ws_a"))).execution.id);
        const logs = [await create(), await create()];
        const readers: Reader[] = [];
        const gone = new Set<Reader>();
        for (const step of moves) {
          if (step.do === "append") {
            const events = step.sizes.map((size) => ({ type: "execution.cancel_requested" as const, size }));
            await logs[step.execution]?.append(events);
          } else if (step.do === "join") {
            const log = logs[step.execution];
            if (log === undefined) continue;
            readers.push(new Reader(source, log, Math.min(step.afterSeq, log.lastSeq)));
          } else {
            const chosen = readers[step.reader % readers.length];
            if (chosen === undefined || gone.has(chosen)) continue;
            if (step.do === "read") chosen.read(step.count);
            else await chosen.leave();
            if (step.do === "leave") gone.add(chosen);
          }
        }
        for (const log of logs) await log.append([{ type: "execution.completed", size: 0 }]);
        for (const one of readers) if (!gone.has(one)) await one.end();
        for (const { seqs, afterSeq } of readers) {
          expect(seqs).toEqual(seqs.map((_, index) => afterSeq + index + 1));
        }
        for (const one of readers) {
          const last = one.seqs.at(-1) ?? one.afterSeq;
          if (!gone.has(one)) expect(last).toBe(one.log.lastSeq);
        }
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);
