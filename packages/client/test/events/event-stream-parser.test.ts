import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventStreamParser, type ServerSentEvent } from "../../src/events/event-stream-parser.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (...chunks: Uint8Array[]): ServerSentEvent[] => {
  const parser = new EventStreamParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
};
const message = (data: string, { type = "message", id = "" } = {}): ServerSentEvent => ({ type, data, id });

describe("EventStreamParser", () => {
  it.each<[string, string, ServerSentEvent[]]>([
    ["a message", "data: a\n\n", [message("a")]],
    ["its type and id", "event: x\nid: 7\ndata: a\n\n", [message("a", { type: "x", id: "7" })]],
    ["lines that end with CR LF", "data: a\r\n\r\ndata: b\r\n\r\n", [message("a"), message("b")]],
    ["lines that end with CR", "data: a\r\rdata: b\r\r", [message("a"), message("b")]],
    ["data of several lines", "data: a\ndata:\ndata: b\n\n", [message("a\n\nb")]],
    ["a field without a colon", "data\n\n", [message("")]],
    ["a value without a space before it", "data:a\n\n", [message("a")]],
    ["no more than one space before a value", "data:  a\n\n", [message(" a")]],
    ["a value with a colon", "data: a: b\n\n", [message("a: b")]],
    ["comments, which say nothing", ": beat\n\n:\n\ndata: a\n: inside\n\n", [message("a")]],
    ["unknown fields, which say nothing", "retry: 10\nwhat: x\ndata: a\n\n", [message("a")]],
    ["a byte order mark, which is no part of the first field", "\ufeffdata: a\n\n", [message("a")]],
    [
      "an id that stays for later messages",
      "id: 1\ndata: a\n\ndata: b\n\n",
      [message("a", { id: "1" }), message("b", { id: "1" })],
    ],
    ["an id with NUL, which is not one", "id: 1\u0000\ndata: a\n\n", [message("a")]],
    [
      "a type that ends with its message",
      "event: x\ndata: a\n\ndata: b\n\n",
      [message("a", { type: "x" }), message("b")],
    ],
    ["a type without data, which is no message", "event: x\n\ndata: b\n\n", [message("b")]],
    ["an unfinished message, which never comes", "data: a\n\ndata: b\n", [message("a")]],
  ])("reads %s", (_name, text, expected) => {
    expect(parse(bytes(text))).toEqual(expected);
  });

  it("reads the same however the stream is cut", () => {
    const line = fc
      .string({ unit: fc.constantFrom("a", " ", ":", "é", "日", "🙂", "{", "\ufeff") })
      .map((value) => value.replace(/^\ufeff/, ""));
    const messages = fc.array(
      fc.record({
        type: fc.constantFrom("", "x"),
        id: fc.constantFrom("", "1", "22"),
        lines: fc.array(line, { minLength: 1 }),
      }),
    );
    const endings = fc.infiniteStream(fc.constantFrom("\n", "\r", "\r\n"));

    fc.assert(
      fc.property(
        messages,
        endings,
        fc.boolean(),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (sent, ends, hasMark, sizes) => {
          const ending = () => ends.next().value ?? "\n";
          // Two line ends in a row must not melt into one.
          const write = (lines: string[]) => lines.map((text) => `${text}${ending()}`).join("");
          let text = hasMark ? "\ufeff" : "";
          let id = "";
          const expected = sent.map(({ type, id: given, lines }) => {
            const fields = [
              `event: ${type}`,
              ...(given === "" ? [] : [`id: ${given}`]),
              ...lines.map((value) => `data: ${value}`),
            ];
            text += `: comment${"\n"}${write(fields)}`;
            text += text.endsWith("\r") ? "\r\n" : "\n";
            id = given === "" ? id : given;
            return message(lines.join("\n"), { type: type === "" ? "message" : type, id });
          });

          const whole = bytes(text);
          const chunks: Uint8Array[] = [];
          for (let at = 0; at < whole.length; ) {
            const size = sizes.next().value ?? 1;
            chunks.push(whole.subarray(at, at + size));
            at += size;
          }
          expect(parse(...chunks)).toEqual(expected);
        },
      ),
    );
  });
});
