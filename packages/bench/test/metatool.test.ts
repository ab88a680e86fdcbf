import { expect, it } from "vitest";
import { readMetaTool } from "../metatool/corpus.ts";

it("has a description for every tool that a query is for", async () => {
  const { tools, single, multiple } = await readMetaTool();
  expect(tools).toHaveLength(199);
  expect(Object.values(single).flat()).toHaveLength(20_614);
  expect(multiple).toHaveLength(497);
  const described = new Set(tools.map(({ name }) => name));
  const wanted = [...Object.keys(single), ...multiple.flatMap(({ tools: names }) => names)];
  expect(wanted.filter((name) => !described.has(name))).toEqual([]);
});
