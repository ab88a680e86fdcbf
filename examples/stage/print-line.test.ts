import { expect, it } from "vitest";
import { wrapLine } from "./print-line.ts";

const LONG = `gateway  signs lookup_order, attempt 1, and sends it to http://127.0.0.1:40123/tools and ${"x".repeat(90)}`;

it("on a terminal, no line is wider than the terminal, and wrapped text is indented to the first line's text", () => {
  const lines = wrapLine(LONG, 80);
  expect(lines.map(({ length }) => length <= 80)).not.toContain(false);
  expect(lines[0]).toBe("gateway  signs lookup_order, attempt 1, and sends it to");
  expect(lines.slice(1).map((line) => line.slice(0, 10))).toEqual(
    lines.slice(1).map(() => expect.stringMatching(/^ {9}\S$/)),
  );
  expect(
    lines
      .map((line) => line.trim())
      .join("")
      .replaceAll(" ", ""),
  ).toBe(LONG.replaceAll(" ", ""));
});

it("empty lines are kept, and nothing is wrapped without a terminal", () => {
  expect(wrapLine("\nAnswer: yes", 80)).toEqual(["", "Answer: yes"]);
  expect(wrapLine(LONG, undefined)).toEqual([LONG]);
});
