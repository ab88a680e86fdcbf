import fc from "fast-check";
import { expect, it } from "vitest";
import { createTimestampFormat } from "../../src/text/timestamp-format.ts";

const MAX_TIME_MS = 8.64e15;

/** Times close to each other, in any order, so that seconds repeat and end. */
const times = fc
  .tuple(
    fc.integer({ min: -MAX_TIME_MS / 2, max: MAX_TIME_MS / 2 }),
    fc.array(fc.oneof(fc.integer({ min: -2_500, max: 2_500 }), fc.double({ min: -1_500, max: 1_500, noNaN: true }))),
  )
  .map(([start, steps]) => [start, ...steps.map((step) => start + step)]);

it("formats any sequence of times like Date.toISOString", () => {
  fc.assert(
    fc.property(times, (sequence) => {
      const format = createTimestampFormat();
      expect(sequence.map(format)).toEqual(sequence.map((at) => new Date(at).toISOString()));
    }),
  );
});

it("keeps the right second after a fraction of a millisecond before 1970", () => {
  const format = createTimestampFormat();
  expect([-0.5, -2].map(format)).toEqual(["1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.998Z"]);
});
