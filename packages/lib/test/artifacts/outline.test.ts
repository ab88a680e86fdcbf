import type { JsonValue } from "@yagate/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonPath } from "../../src/artifacts/json-path/parse-json-path.ts";
import { selectValues } from "../../src/artifacts/json-path/select-values.ts";
import { outlineOf } from "../../src/artifacts/outline.ts";

describe("the outline of a value", () => {
  it("names each place by its path, outer ones first, and says what is there", () => {
    const value = {
      status: "ok",
      items: [{ id: 1, "list price": 9.5, tags: [] }, { id: 2 }, null],
      note: "x".repeat(200),
      next: null,
      done: false,
    };
    expect(outlineOf(value, 2_000).split("\n")).toEqual([
      "$: object of 5",
      '$.status: string "ok"',
      "$.items: array of 3: object, null",
      `$.note: string of 200, "${"x".repeat(40)}"…`,
      "$.next: null",
      "$.done: boolean false",
      "$.items[0]: object of 3",
      "$.items[0].id: number 1",
      '$.items[0]["list price"]: number 9.5',
      "$.items[0].tags: array of 0",
    ]);
  });

  it("names the first keys of a wide object", () => {
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, index]));
    const lines = outlineOf(wide, 5_000).split("\n");
    expect(lines[0]).toBe("$: object of 1000, of which the first 30 are listed");
    expect(lines).toHaveLength(31);
  });

  it("never is longer than it may be, and its paths lead to what it says", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 40, max: 600 }), (value, most) => {
        const root: JsonValue = JSON.parse(JSON.stringify(value));
        const outline = outlineOf(root, most);
        expect(outline.length).toBeLessThanOrEqual(most);
        for (const line of outline.split("\n")) {
          const path = /^(\$.*?): (?:object|array|string|number|boolean|null)/.exec(line)?.[1];
          if (path !== undefined) expect(selectValues(parseJsonPath(path), root).values).toHaveLength(1);
        }
      }),
    );
  });

  it("looks no deeper than it can show", () => {
    const deep = Array.from({ length: 50_000 }).reduce<JsonValue>((inner) => ({ inner }), 1);
    expect(outlineOf(deep, 100_000).split("\n")).toHaveLength(9);
  });
});
