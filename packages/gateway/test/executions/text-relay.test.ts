import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PartialText } from "../../src/executions/streams/text-deltas.ts";
import { RelayBus, type TextReplica } from "./relay-bus.ts";

const ID = "exec_01m7yj864ke00brb1mkxjenfhm";
const PAYLOAD_LIMIT = 8_000;

let bus: RelayBus;
beforeEach(() => {
  vi.useFakeTimers();
  bus = new RelayBus();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a subscriber there has received, joined. */
function listen({ deltas }: TextReplica, executionId = ID) {
  const heard = { text: "", changes: 0, stop: () => {} };
  heard.stop = deltas.subscribe(executionId, (partialText: PartialText) => {
    heard.text = partialText.since(0);
    heard.changes += 1;
  });
  return heard;
}

function begin({ deltas }: TextReplica, turn = 1, attempt = 1, executionId = ID) {
  const writer = deltas.begin({ executionId, turn, attempt });
  if (writer === undefined) throw new Error("expected a subscriber");
  return writer;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("texts between replicas", () => {
  it("stay in their process without subscribers elsewhere", async () => {
    const owner = bus.add("owner");
    bus.add("other");
    const heard = listen(owner);
    const writer = begin(owner);
    writer.write("Hello");
    await pass(1_000);
    writer.end();
    await pass(60_000);
    expect(heard.text).toBe("Hello");
    expect(bus.texts).toEqual([]);
  });

  it("go to subscribers only", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader"), bus.add("bystander")];
    const heard = listen(reader);
    await pass(20);
    expect(owner.deltas.hasSubscribers(ID)).toBe(true);
    const writer = begin(owner);
    writer.write("Hello");
    await pass(30);
    expect(heard.text).toBe("Hello");
    expect(bus.texts.map(({ channel }) => channel)).toEqual(["yagate_text_reader"]);
  });

  it("leave ten times a second at most, joined, whatever the model's pace", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    const heard = listen(reader);
    await pass(20);
    const writer = begin(owner);
    let text = "";
    for (let word = 0; word < 500; word += 1) {
      text += `word${word} `;
      writer.write(`word${word} `);
      await pass(10);
    }
    await pass(110);
    expect(heard.text).toBe(text);
    expect(bus.texts.length).toBeGreaterThan(40);
    expect(bus.texts.length).toBeLessThanOrEqual(51);
  });

  it("leave ten times a second at most over many fast model turns too", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    listen(reader);
    await pass(20);
    for (let turn = 1; turn <= 100; turn += 1) {
      const writer = begin(owner, turn);
      writer.write(`turn ${turn}`);
      await pass(20);
      writer.end();
    }
    expect(bus.texts.length).toBeGreaterThan(10);
    expect(bus.texts.length).toBeLessThanOrEqual(21);
  });

  it("of many executions share messages", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    const ids = Array.from({ length: 200 }, (_, index) => `exec_${index}`);
    const heard = ids.map((id) => listen(reader, id));
    await pass(20);
    const writers = ids.map((id) => begin(owner, 1, 1, id));
    for (const writer of writers) writer.write("Hello");
    await pass(30);
    expect(heard.map(({ text }) => text)).toEqual(ids.map(() => "Hello"));
    expect(bus.texts.length).toBeLessThan(5);
  });

  it("arrive in one message when the model replies at once", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    const heard = listen(reader);
    await pass(20);
    const writer = begin(owner);
    for (const word of ["It ", "is ", "done."]) writer.write(word);
    writer.end();
    await pass(0);
    expect(heard).toMatchObject({ text: "It is done.", changes: 1 });
  });

  it("end with the model turn: its last text is not sent after its end", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    const heard = listen(reader);
    await pass(20);
    const writer = begin(owner);
    writer.write("It is ");
    await pass(30);
    writer.write("done.");
    writer.end();
    writer.write(" And more.");
    await pass(10_000);
    expect(heard.text).toBe("It is ");
    expect(bus.texts).toHaveLength(1);
  });

  it.each<[string, string]>([
    ["a long text", "abc ".repeat(10_000)],
    ["characters of four bytes", "\u{1f680}".repeat(9_001)],
    ["characters that JSON escapes", "\u0001\n".repeat(5_000)],
    ["characters of three bytes", "\u4f60\u597d".repeat(5_000)],
  ])("are cut between characters where a message can't hold them: %s", async (_what, text) => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    const heard = listen(reader);
    await pass(20);
    begin(owner).write(text);
    await pass(30);
    expect(heard.text).toBe(text);
    for (const { payload } of bus.sent) expect(Buffer.byteLength(payload)).toBeLessThan(PAYLOAD_LIMIT);
    for (const { pieces } of bus.texts) for (const piece of pieces) expect(String(piece[4]).isWellFormed()).toBe(true);
  });
});

describe("a reader that arrives in the middle", () => {
  it("first gets the text so far", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    listen(owner);
    const writer = begin(owner);
    writer.write("Hello ");
    await pass(1_000);
    const heard = listen(reader);
    await pass(20);
    expect(heard.text).toBe("Hello ");
    writer.write("world");
    await pass(110);
    expect(heard.text).toBe("Hello world");
    const later = listen(reader);
    expect(later.text).toBe("Hello world");
  });

  it("does not make the others receive it again, and a message to all is sent once", async () => {
    const [owner, first, second] = [bus.add("owner"), bus.add("first"), bus.add("second")];
    const heard = [listen(first)];
    await pass(20);
    const writer = begin(owner);
    writer.write("Hello ");
    await pass(200);
    heard.push(listen(second));
    await pass(20);
    writer.write("world");
    await pass(200);
    expect(heard.map(({ text }) => text)).toEqual(["Hello world", "Hello world"]);
    expect(bus.texts.map(({ channel, pieces }) => [channel, pieces[0]?.[4]])).toEqual([
      ["yagate_text_first", "Hello "],
      ["yagate_text_second", "Hello "],
      ["yagate_text", "world"],
    ]);
  });

  it("is known to a replica that has just started", async () => {
    const reader = bus.add("reader");
    const heard = listen(reader);
    await pass(5_000);
    const owner = bus.add("owner");
    await pass(30);
    begin(owner).write("Hello");
    await pass(30);
    expect(heard.text).toBe("Hello");
  });
});

describe("a reader that has unsubscribed", () => {
  it("is sent nothing from then on", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    const heard = listen(reader);
    await pass(20);
    const writer = begin(owner);
    heard.stop();
    await pass(20);
    writer.write("Hello");
    await pass(1_000);
    expect(bus.texts).toEqual([]);
    expect(owner.deltas.hasSubscribers(ID)).toBe(false);
  });

  it("is forgotten when its process has ended, and kept as long as that runs", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    listen(reader);
    await pass(120_000);
    expect(owner.deltas.hasSubscribers(ID)).toBe(true);
    reader.die();
    await pass(15_000);
    expect(owner.deltas.hasSubscribers(ID)).toBe(true);
    await pass(15_001);
    expect(owner.deltas.hasSubscribers(ID)).toBe(false);
  });
});

describe("a lost message", () => {
  it("never leaves a gap in the text, and is requested again", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    const heard = listen(reader);
    await pass(20);
    const writer = begin(owner);
    let text = "";
    let count = 0;
    bus.loses = ({ payload }) => payload.includes('"text"') && ++count % 3 === 2;
    for (let word = 0; word < 400; word += 1) {
      text += `word${word} `;
      writer.write(`word${word} `);
      await pass(10);
      expect(text.startsWith(heard.text)).toBe(true);
    }
    bus.loses = () => false;
    writer.write("the end");
    await pass(1_200);
    writer.write(".");
    await pass(1_200);
    expect(heard.text).toBe(`${text}the end.`);
  });

  it("with a subscription is made good by the next one", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    bus.loses = () => true;
    const heard = listen(reader);
    await pass(20);
    bus.loses = () => false;
    listen(owner);
    begin(owner).write("Hello");
    await pass(10_100);
    expect(heard.text).toBe("Hello");
  });

  it("during a lost connection arrives when it is back", async () => {
    const [owner, reader] = [bus.add("owner"), bus.add("reader")];
    const heard = listen(reader);
    await pass(20);
    const writer = begin(owner);
    bus.loses = () => true;
    writer.write("Hello ");
    await pass(200);
    bus.loses = () => false;
    reader.relay.onListening();
    await pass(200);
    expect(heard.text).toBe("Hello ");
  });
});

describe("an attempt of a model turn", () => {
  it("that was abandoned is not relayed any more once another one is", async () => {
    const [frozen, owner, reader] = [bus.add("frozen"), bus.add("owner"), bus.add("reader")];
    const attempts: number[] = [];
    reader.deltas.subscribe(ID, ({ attempt }: PartialText) => attempts.push(attempt));
    const heard = listen(reader);
    await pass(20);
    const old = begin(frozen, 1, 1);
    old.write("Old words");
    await pass(110);
    const fresh = begin(owner, 1, 2);
    fresh.write("New");
    await pass(110);
    old.write(" of an abandoned attempt");
    fresh.write(" words");
    await pass(110);
    expect(heard.text).toBe("New words");
    expect(attempts).toEqual([1, 2, 2]);
  });
});

it.each(["", "{}", "no JSON", '{"kind":"text","from":"x","pieces":[["a",-1,1,0,"t"]]}', '{"kind":"later","from":"x"}'])(
  "passes over the message %s",
  async (payload) => {
    const reader = bus.add("reader");
    const heard = listen(reader);
    reader.relay.onMessage(payload);
    await pass(100);
    expect(heard.changes).toBe(0);
  },
);
