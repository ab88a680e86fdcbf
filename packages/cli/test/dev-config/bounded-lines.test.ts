import { expect, it } from "vitest";
import { BoundedLines } from "../../src/gateway/stdio-servers/bounded-lines.ts";

/** Feeds chunks to a splitter for lines of at most 8 bytes. */
function split(chunks: readonly (string | Buffer)[]) {
  const found: (readonly [kind: "line" | "too long", text: string])[] = [];
  const lines = new BoundedLines(8, {
    onLine: (line) => found.push(["line", line]),
    onTooLong: (line) => found.push(["too long", line]),
  });
  for (const chunk of chunks) lines.add(Buffer.from(chunk));
  lines.end();
  return found;
}

it.each<[string, readonly (string | Buffer)[], ReturnType<typeof split>]>([
  [
    "lines in one chunk",
    ["a\nb\r\n"],
    [
      ["line", "a"],
      ["line", "b"],
    ],
  ],
  ["a line in several chunks", ["a", "b", "c\n"], [["line", "abc"]]],
  ["a character that is cut in two", [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])], [["line", "é"]]],
  [
    "a last line without a break",
    ["a\nb"],
    [
      ["line", "a"],
      ["line", "b"],
    ],
  ],
  ["a line of the maximum size", ["12345678\n"], [["line", "12345678"]]],
  [
    "a longer line once, and the next one",
    ["1234", "56789", "rest\nb\n"],
    [
      ["too long", "12345678"],
      ["line", "b"],
    ],
  ],
  ["separators of lines that JSON may contain", ["a\u2028b\n"], [["line", "a\u2028b"]]],
])("finds %s", (_what, chunks, expected) => {
  expect(split(chunks)).toEqual(expected);
});
