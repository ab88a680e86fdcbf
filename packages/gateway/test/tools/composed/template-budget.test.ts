import type { JsonObject, JsonValue } from "@yagate/protocol";
import { expect, it } from "vitest";
import { compileComposedTool } from "../../../src/tools/composed/compile-composed-tool.ts";
import { argumentValidator, builtins, composed, request, shown, takes } from "./composed-world.ts";

const URL_START = "https://api.example.com/v1/items";
const headers = (value: string) => Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, value]));
const long = "x".repeat(800_000);
const nested: JsonValue = Array.from({ length: 300_000 }, () => []);

/** Makes requests of templates as they may have been saved before their placeholders were counted. */
function attempt(args: JsonObject, parameters: JsonObject): void {
  const tool = request(args, "p");
  const compiled = compileComposedTool(tool, [tool], { builtins, argumentValidator });
  if (compiled.kind === "network") compiled.template.render(parameters, shown);
}

it.each<[string, JsonObject, JsonValue]>([
  ["text in headers", { headers: headers("${p}".repeat(40)) }, long],
  ["whole headers", { headers: headers("${p}") }, long],
  ["text in the body", { body: "${p}".repeat(20_000) }, long],
  ["values in the body", { body: Array(10_000).fill("${p}") }, long],
  ["lists in the body", { body: Array(10_000).fill("${p}") }, nested],
  ["names in the body", { body: Array(10_000).fill("${p}") }, { [long]: 1 }],
  ["text in the query of the url", { url: `${URL_START}?a=${"${p}".repeat(2_000)}` }, "é".repeat(300_000)],
  ["text in the path", { url: `${URL_START}/${"${p}".repeat(2_000)}` }, "é".repeat(300_000)],
  ["lists in the query", { query: { [`q${"n".repeat(60_000)}`]: Array(2_000).fill("${p}") } }, "a"],
  ["a list in a query", { query: { [`q${"n".repeat(4_000)}`]: "${p}" } }, Array(300_000).fill(1)],
])("%s that multiply are refused before they are written", (_case, args, p) => {
  const heapBefore = process.memoryUsage().heapUsed;
  const before = process.threadCpuUsage();
  expect(() => attempt(args, { p })).toThrow(expect.objectContaining({ reason: "RENDERED_TOO_LARGE" }));
  expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(128 * 1_048_576);
});

it.each<[string, JsonValue]>([
  ["text", "${p}".repeat(10_000)],
  ["values", Array(10_000).fill("${p}")],
])("%s that a built-in is handed on are refused before they are written", (_case, expression) => {
  const tool = composed("add", "calculator", { expression }, takes("p"));
  const compiled = compileComposedTool(tool, [tool], { builtins, argumentValidator });
  if (compiled.kind !== "compute") throw new Error("expected a tool that becomes a built-in");
  const before = process.threadCpuUsage();
  expect(() => compiled.renderArguments({ p: long })).toThrow(
    expect.objectContaining({ reason: "RENDERED_TOO_LARGE" }),
  );
  expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
});
