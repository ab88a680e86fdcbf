import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type JsonObject, type JsonValue, jsonObjectSchema } from "@yagate/protocol";
import * as z from "zod";

/** A case of the leaderboard: one or more calls, made side by side, and tools that take them. */
export interface FunctionCallCase {
  readonly id: string;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonObject }[];
  readonly calls: { name: string; parameters: JsonObject }[];
}

const rowSchema = z.object({
  id: z.string(),
  mutation: z.string(),
  calls: z.array(z.record(z.string(), jsonObjectSchema)),
});

/** Reads all cases. The leaderboard's definitions are not among them: the tools declare the arguments that are given. */
export function readCases(): readonly FunctionCallCase[] {
  const text = readFileSync(join(import.meta.dirname, "vectors", "valid-calls.jsonl"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const { id, mutation, calls: named } = rowSchema.parse(JSON.parse(line));
      const calls = named.flatMap((call) => Object.entries(call).map(([name, parameters]) => ({ name, parameters })));
      const tools = [...Map.groupBy(calls, ({ name }) => name)].map(([name, ofTool]) => ({
        name,
        description: `Takes the calls of ${id}.`,
        parameters: declare(ofTool.map(({ parameters }) => parameters)),
      }));
      return { id: `${id}, ${mutation}`, tools, calls };
    });
}

function declare(given: readonly JsonObject[]): JsonObject {
  const values = Map.groupBy(given.flatMap(Object.entries<JsonValue>), ([name]) => name);
  const properties = [...values].map(([name, entries]): [string, JsonObject] => {
    return [name, { type: [...new Set(entries.map(([, value]) => typeOf(value)))] }];
  });
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}

function typeOf(value: JsonValue): "null" | "array" | "object" | "string" | "number" | "boolean" {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : "object";
}
