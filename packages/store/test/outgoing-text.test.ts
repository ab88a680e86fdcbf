import { expect, it } from "vitest";
import { OutgoingPartialText } from "../src/postgres/text-relay/outgoing-text.ts";

it("a text is taken in the millisecond in which it is due: after 25 ms, then every 100 ms", () => {
  let now = 0;
  let written = "";
  const text = {
    executionId: "exec_1",
    turn: 1,
    attempt: 1,
    get length() {
      return written.length;
    },
    since: (position: number) => written.slice(position),
  };
  const outgoing = new OutgoingPartialText(
    () => now,
    () => ["reader"],
  );
  const takenAt = (ms: number) => {
    now = ms;
    return [outgoing.dueInMs(), outgoing.take().map(({ piece }) => piece.text)];
  };
  outgoing.begin(text);
  written = "Hello";
  outgoing.grow(text);
  expect(takenAt(24)).toEqual([1, []]);
  expect(takenAt(25)).toEqual([0, ["Hello"]]);
  written += " world";
  outgoing.grow(text);
  expect(takenAt(124)).toEqual([1, []]);
  expect(takenAt(125)).toEqual([0, [" world"]]);
  expect(outgoing.dueInMs()).toBeUndefined();
});
