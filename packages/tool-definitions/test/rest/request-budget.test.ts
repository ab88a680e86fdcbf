import type { JsonObject } from "@yagate/protocol";
import { expect, it } from "vitest";
import { compileRestTool } from "../../src/rest/compile-rest-tool.ts";
import { restTool } from "./rest-world.ts";

type Change = Parameters<typeof restTool>[0];

const numbered = (count: number, prefix: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 1]));
const form = (type: "object" | "array"): Change => ({
  url: "https://api.example.com/orders",
  method: "POST",
  bodyFormat: "form",
  parameters: [{ name: "o", in: "body", type }],
});

it.each<[string, Change, JsonObject, RegExp]>([
  [
    "a long name above many members",
    form("object"),
    { o: { ["k".repeat(500_000)]: numbered(39_999, "m") } },
    /body of more than 65536 bytes/,
  ],
  ["a form of many small members", form("object"), { o: numbered(90_000, "m") }, /body of more than 65536 bytes/],
  ["a form's list of many items", form("array"), { o: Array(400_000).fill(1) }, /body of more than 65536 bytes/],
  [
    "a long name of a query's list",
    {
      url: "https://api.example.com/orders",
      parameters: [{ name: "o", wireName: "o".repeat(200), in: "query", type: "array" }],
    },
    { o: Array(400_000).fill(1) },
    /url of more than 8192 characters/,
  ],
  [
    "a value that stands in the path many times",
    {
      url: `https://api.example.com/${"{o}".repeat(2_600)}`,
      parameters: [{ name: "o", in: "path", type: "string" }],
    },
    { o: "é".repeat(500_000) },
    /url of more than 8192 characters/,
  ],
  [
    "long headers",
    {
      url: "https://api.example.com/orders",
      parameters: [{ name: "o", in: "header", type: "string" }],
    },
    { o: "x".repeat(16_384) },
    /headers of more than 16384 characters/,
  ],
])("%s is refused before it is written", (_case, change, parameters, message) => {
  const { render } = compileRestTool(restTool(change));
  const heapBefore = process.memoryUsage().heapUsed;
  const before = process.threadCpuUsage();
  expect(() => render(parameters, () => "")).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENTS", message: expect.stringMatching(message) }),
  );
  expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(128 * 1_048_576);
});
