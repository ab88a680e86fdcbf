import type { Projection } from "@yagate/protocol";
import { expect, it } from "vitest";
import { checkProjection } from "../../src/checks/check-projection.ts";

const deep = (count: number) => Array.from({ length: count }, (_, index) => `$..field${index}`);

it.each<[string, Projection | undefined, readonly (readonly [path: string, code: string])[]]>([
  ["nothing", undefined, []],
  ["a budget alone", { maxTokens: 500 }, []],
  ["ten paths that look at any depth", { keep: deep(4), redact: [...deep(6), "$.a[*].b"] }, []],
  ["eleven of them", { keep: deep(4), redact: deep(7) }, [["tools[0].projection", "TOO_MANY_PATHS"]]],
  ["a path that does so twice", { keep: ["$.id", "$..a..b"] }, [["tools[0].projection.keep[1]", "INVALID_PATH"]]],
  ["a path that is none", { redact: ["$.a["] }, [["tools[0].projection.redact[0]", "INVALID_PATH"]]],
])("a tool with %s", (_case, projection, expected) => {
  expect(checkProjection(projection, "tools[0]").map(({ path, code }) => [path, code])).toEqual(expected);
});
