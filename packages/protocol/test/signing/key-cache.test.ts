import { expect, it } from "vitest";
import { KeyCache } from "../../src/signing/signing-keys.ts";

/** A cache whose keys say how many were made before them. */
function countingCache(capacity: number) {
  const made: string[] = [];
  const cache = new KeyCache(capacity, (secret) => {
    if (secret === "bad") throw new Error("refused");
    made.push(secret);
    return { secret };
  });
  return { cache, made };
}

it("makes the key of a secret once", () => {
  const { cache, made } = countingCache(2);
  const key = cache.get("a");
  expect(cache.get("a")).toBe(key);
  cache.get("b");
  expect(cache.get("a")).toBe(key);
  expect(made).toEqual(["a", "b"]);
});

it("stays within its capacity, however many secrets pass", () => {
  const { cache } = countingCache(10);
  for (let index = 0; index < 1_000; index += 1) {
    expect(cache.get(`secret ${index}`)).toEqual({ secret: `secret ${index}` });
    expect(cache.size).toBe(Math.min(index + 1, 10));
  }
});

it("drops the secret that was used longest ago", () => {
  const { cache, made } = countingCache(2);
  for (const secret of ["a", "b", "a", "c", "a"]) cache.get(secret);
  expect(made).toEqual(["a", "b", "c"]);
  cache.get("b");
  expect(made).toEqual(["a", "b", "c", "b"]);
});

it("keeps nothing of a secret that is refused", () => {
  const { cache } = countingCache(2);
  cache.get("a");
  expect(() => cache.get("bad")).toThrow("refused");
  expect(() => cache.get("bad")).toThrow("refused");
  expect(cache.size).toBe(1);
});
