import { expect, it, vi } from "vitest";
import { createIndexCache } from "../src/index-cache.ts";
import { createToolIndex } from "../src/tool-index.ts";

const TOOLS = [{ name: "lookup", description: "Looks up an order.", parameters: {} }];

it("builds one index per tool set, also for concurrent searches", async () => {
  const create = vi.fn(createToolIndex);
  const cache = createIndexCache(create);
  const found = await Promise.all(["a", "a", "b"].map((key) => cache.indexOf(key, () => TOOLS)));
  expect(await cache.indexOf("a", () => TOOLS)).toBe(found[0]);
  expect(create).toHaveBeenCalledTimes(2);
  expect(found[0]?.search({ query: "order", limit: 5 })).toEqual(["lookup"]);
});

it("does not keep a failed build", async () => {
  const create = vi.fn(createToolIndex).mockRejectedValueOnce(new Error("out of memory"));
  const cache = createIndexCache(create);
  await expect(cache.indexOf("a", () => TOOLS)).rejects.toThrow("out of memory");
  expect((await cache.indexOf("a", () => TOOLS)).size).toBe(1);
});
