import fc from "fast-check";
import { expect, it } from "vitest";
import { entryOf } from "../../../../store/test/support/fixtures.ts";
import { EventCache, encodeEvent } from "../../../src/executions/streams/event-cache.ts";

const MAX_BYTES = 40_000;

function encoded(executionId: string, seq: number, characters: number) {
  return encodeEvent(entryOf(executionId, seq, { type: "model.responded", text: "x".repeat(characters) }).event);
}

it("the event cache never exceeds its bound, and never returns another event", () => {
  const page = fc.record({
    executionId: fc.constantFrom("exec_1", "exec_2", "exec_3"),
    first: fc.integer({ min: 1, max: 12 }),
    sizes: fc.array(fc.integer({ min: 0, max: 15_000 }), { maxLength: 8 }),
  });
  fc.assert(
    fc.property(fc.array(page, { maxLength: 30 }), (pages) => {
      const cache = new EventCache(MAX_BYTES);
      for (const { executionId, first, sizes } of pages) {
        cache.add(
          executionId,
          sizes.map((size, index) => encoded(executionId, first + index, size)),
        );
        expect(cache.bytes).toBeLessThanOrEqual(MAX_BYTES);
        // What a reader wants next is there, however large the rest of the page was.
        if (sizes.length > 0) expect(cache.get(executionId, first)).toBeDefined();
        for (let seq = 1; seq < 20; seq += 1) {
          const event = cache.get(executionId, seq);
          if (event === undefined) continue;
          expect(Buffer.from(event.text).toString()).toContain(`"seq":${seq},"executionId":"${executionId}"`);
        }
      }
    }),
  );
});

it("the event that was read last stays longest", () => {
  const cache = new EventCache(MAX_BYTES);
  for (const seq of [1, 2, 3]) cache.add("exec_1", [encoded("exec_1", seq, 10_000)]);
  cache.get("exec_1", 1);
  cache.add("exec_1", [encoded("exec_1", 4, 10_000)]);
  expect([1, 2, 3, 4].filter((seq) => cache.get("exec_1", seq) !== undefined)).toEqual([1, 3, 4]);
});
