import { createAgentSchema } from "@yagate/protocol";
import { expect, it } from "vitest";
import { readBfcl, readCapabilityQueries } from "../bfcl/corpus.ts";
import { toJsonSchema } from "../bfcl/json-schema.ts";

it("has the questions and functions that its page counts", async () => {
  const cases = await readBfcl();
  expect(cases).toHaveLength(3_641);
  const answered = cases.filter(({ answer }) => answer !== undefined);
  expect(answered).toHaveLength(2_501);
  expect(new Set(answered.flatMap(({ functions }) => functions.map(({ name }) => name))).size).toBe(1_437);
  expect(new Set(cases.filter(({ answer }) => answer === undefined).map(({ file }) => file))).toEqual(
    new Set(["irrelevance", "live_irrelevance", "live_relevance"]),
  );
});

it("offers with each answered question the functions of its answer", async () => {
  for (const { id, functions, answer = [] } of await readBfcl()) {
    const offered = functions.map(({ name }) => name);
    expect(offered, id).toEqual(expect.arrayContaining(answer.flatMap((call) => Object.keys(call))));
  }
});

it("has capability queries for answered cases only", async () => {
  const answered = new Set((await readBfcl()).flatMap(({ id, answer }) => (answer === undefined ? [] : [id])));
  const queries = await readCapabilityQueries();
  expect(queries.filter(({ id }) => !answered.has(id))).toEqual([]);
  expect(queries.flatMap(({ queries: texts }) => texts)).toHaveLength(51);
});

it("translates every definition to parameters that an agent's tool accepts", async () => {
  const definitions = new Set((await readBfcl()).flatMap(({ functions }) => functions));
  expect(definitions.size).toBe(3_264);
  const tools = [...definitions].map(({ description, parameters }, index) => ({
    name: `function_${index}`,
    description: description || "Undescribed.",
    parameters: toJsonSchema(parameters),
    handler: "https://tools.example.com/call",
  }));
  for (const tool of tools) {
    const parsed = createAgentSchema.safeParse({ name: "BFCL", model: "scripted/turns", tools: [tool] });
    expect(parsed.error?.issues ?? [], JSON.stringify(tool)).toEqual([]);
  }
});
