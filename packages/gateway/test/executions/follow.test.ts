import { type ExecutionEvent, textDeltaSchema } from "@yagate/protocol";
import { appendTo } from "@yagate/store/events/event-store";
import type { EventStore, Store } from "@yagate/store/port";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeMigratedJournal } from "../../../../test/services/migrated-stores.ts";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import { appendOf, entryOf, executionOf, NOW } from "../../../store/test/support/fixtures.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../../store/test/support/temporary-directory.ts";
import type { EncodedEvent } from "../../src/executions/streams/event-cache.ts";
import { follow } from "../../src/executions/streams/follow.ts";
import { SharedEvents } from "../../src/executions/streams/shared-events.ts";
import { createTextDeltas, type TextDeltas } from "../../src/executions/streams/text-deltas.ts";

let directory: TemporaryDirectory;
let store: Store;
let deltas: TextDeltas;
let id: string;
let lastSeq: number;
let pages: number;

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  await placeMigratedJournal(directory.path);
  store = await openSqliteStore({ dataDir: directory.path, now: () => NOW });
  deltas = createTextDeltas();
  id = (await store.eventStore.create(executionOf("ws_a"))).execution.id;
  lastSeq = 0;
  pages = 0;
});
afterEach(async () => {
  await store.close();
  await directory.remove();
});

type Fields = { readonly type: ExecutionEvent["type"]; readonly [field: string]: unknown };

async function append(...events: readonly Fields[]): Promise<void> {
  const entries = events.map((fields, index) => entryOf(id, lastSeq + index + 1, fields));
  expect(await appendTo(store.eventStore, appendOf(id, lastSeq, { entries }))).toBe("appended");
  lastSeq += entries.length;
}

const requested = (turn: number, attempt = 1): Fields => ({ type: "model.requested", turn, attempt });
const failed = (turn: number, attempt = 1): Fields => ({ type: "model.failed", turn, attempt });
const responded = (turn: number, attempt = 1): Fields => ({ type: "model.responded", turn, attempt });
const END: Fields = { type: "execution.completed" };

function begin(turn: number, attempt = 1) {
  const writer = deltas.begin({ executionId: id, turn, attempt });
  if (writer === undefined) throw new Error("expected a subscriber");
  return writer;
}

function deltaOf({ text }: EncodedEvent): string {
  const [, data = ""] = /^data: (.*)$/m.exec(Buffer.from(text).toString()) ?? [];
  return textDeltaSchema.parse(JSON.parse(data)).text;
}

/** A reader at its own pace. */
class Reader {
  readonly events: AsyncGenerator<EncodedEvent, void, void>;
  readonly leaving = new AbortController();

  constructor(afterSeq = 0) {
    const eventStore: EventStore = {
      ...store.eventStore,
      entryPage(...place) {
        pages += 1;
        return store.eventStore.entryPage(...place);
      },
    };
    const subject = { workspaceId: "ws_a", executionId: id };
    const events = new SharedEvents({ eventStore });
    this.events = follow({ eventStore, events, deltas }, subject, afterSeq, this.leaving.signal);
  }

  /** The next event in short: a delta's text, or the number and type. */
  async next(): Promise<string | undefined> {
    const { value } = await this.events.next();
    if (value === undefined) return undefined;
    return value.type === "text.delta" ? deltaOf(value) : `${value.seq} ${value.type}`;
  }

  async take(count: number): Promise<readonly (string | undefined)[]> {
    const taken: (string | undefined)[] = [];
    while (taken.length < count) taken.push(await this.next());
    return taken;
  }

  async rest(): Promise<readonly string[]> {
    const taken: string[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) taken.push(event);
    return taken;
  }
}

describe("the text of a model turn", () => {
  it("arrives between its request and its end, while it is written", async () => {
    const reader = new Reader();
    const first = reader.next();
    await append(requested(1));
    expect(await first).toBe("1 model.requested");
    const writer = begin(1);
    const word = reader.next();
    writer.write("Hello");
    expect(await word).toBe("Hello");
    writer.write(", ");
    writer.write("world");
    writer.end();
    await append(responded(1), END);
    expect(await reader.rest()).toEqual([", world", "2 model.responded", "3 execution.completed"]);
  });

  it("starts at its beginning for a reader that arrives in the middle", async () => {
    const early = new Reader();
    const first = early.next();
    await append(requested(1));
    await first;
    const writer = begin(1);
    writer.write("Hello, ");
    const late = new Reader();
    expect(await late.take(2)).toEqual(["1 model.requested", "Hello, "]);
    const word = late.next();
    writer.write("world");
    expect(await word).toBe("world");
    expect(await early.next()).toBe("Hello, world");
  });

  it("starts at its beginning for a reader that reconnects after its request", async () => {
    const early = new Reader();
    const first = early.next();
    await append(requested(1));
    await first;
    begin(1).write("Hello");
    expect(await new Reader(1).next()).toBe("Hello");
  });

  it("is not sent to a reader that does not know its request", async () => {
    const early = new Reader();
    const first = early.next();
    await append(requested(1));
    await first;
    const writer = begin(1);
    writer.write("Hello");
    await append({ type: "execution.cancel_requested" });
    const late = new Reader(2);
    const next = late.next();
    writer.write(", world");
    await append(responded(1));
    expect(await next).toBe("3 model.responded");
  });

  it("ends with its request when that fails: the next one starts from the beginning", async () => {
    const reader = new Reader();
    const first = reader.next();
    await append(requested(1));
    await first;
    const old = begin(1, 1);
    old.write("Old");
    expect(await reader.next()).toBe("Old");
    await append(failed(1, 1), requested(1, 2));
    old.write(" words");
    old.end();
    const fresh = begin(1, 2);
    fresh.write("New");
    old.write(" of an abandoned attempt");
    fresh.end();
    await append(responded(1, 2), END);
    const rest = await reader.rest();
    expect(rest.slice(rest.indexOf("3 model.requested"))).toEqual([
      "3 model.requested",
      "New",
      "4 model.responded",
      "5 execution.completed",
    ]);
  });

  it("that arrives before the events waits for its request", async () => {
    const reader = new Reader();
    await append({ type: "execution.started" });
    expect(await reader.next()).toBe("1 execution.started");
    const next = reader.next();
    begin(1).write("Hello");
    await append(requested(1));
    expect(await next).toBe("2 model.requested");
    expect(await reader.next()).toBe("Hello");
  });

  it("is not written without subscribers", async () => {
    expect(deltas.begin({ executionId: id, turn: 1, attempt: 1 })).toBeUndefined();
    const reader = new Reader();
    const first = reader.next();
    expect(deltas.hasSubscribers(id)).toBe(true);
    reader.leaving.abort();
    expect(await first).toBeUndefined();
    expect(deltas.hasSubscribers(id)).toBe(false);
  });
});

describe("a slow reader", () => {
  it("gets a text in few deltas, none of them large", async () => {
    const reader = new Reader();
    const first = reader.next();
    await append(requested(1));
    await first;
    const writer = begin(1);
    for (let word = 0; word < 10_000; word += 1) writer.write(`word ${word} `);
    writer.end();
    await append(responded(1), END);
    const pieces = (await reader.rest()).slice(0, -2);
    expect(pieces.join("")).toBe(Array.from({ length: 10_000 }, (_, word) => `word ${word} `).join(""));
    expect(pieces.length).toBeLessThan(10);
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(16_384);
  });

  it("misses no event however far it is behind, and continues from the event store", async () => {
    const reader = new Reader();
    const first = reader.next();
    await append({ type: "execution.started" });
    await first;
    pages = 0;
    for (let count = 0; count < 300; count += 1) await append({ type: "execution.cancel_requested" });
    const taken = await reader.take(150);
    for (let count = 0; count < 30; count += 1) await append({ type: "execution.cancel_requested" });
    await append(END);
    const all = [...taken, ...(await reader.rest())];
    expect(all.map((event) => Number(event?.split(" ")[0]))).toEqual(all.map((_, index) => index + 2));
    expect(all).toHaveLength(331);
    expect(pages).toBeGreaterThan(3);
  });

  it("does not read events from the store that it received in time", async () => {
    const reader = new Reader();
    const first = reader.next();
    await append({ type: "execution.started" });
    await first;
    pages = 0;
    for (let seq = 2; seq < 100; seq += 1) {
      const next = reader.next();
      await append({ type: "execution.cancel_requested" });
      expect(await next).toBe(`${seq} execution.cancel_requested`);
    }
    expect(pages).toBe(0);
  });
});
