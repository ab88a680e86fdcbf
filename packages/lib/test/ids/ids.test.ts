import { ID_PREFIXES, type IdKind } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { newFrameNonce, newId } from "../../src/ids/ids.ts";
import { typeIdToUuid } from "./typeid-bits.ts";

const KINDS: readonly IdKind[] = Object.keys(ID_PREFIXES).filter((kind): kind is IdKind => kind in ID_PREFIXES);

describe("newId", () => {
  it.each(KINDS)("mints a TypeID of the kind %s that holds the time", (kind) => {
    const before = Date.now();
    const [prefix, suffix = ""] = newId(kind).split("_");
    const uuid = typeIdToUuid(suffix);
    const mintedAt = Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16);
    expect(prefix).toBe(ID_PREFIXES[kind]);
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(mintedAt).toBeGreaterThanOrEqual(before);
    expect(mintedAt).toBeLessThanOrEqual(Date.now());
  });

  it("mints ids that differ and sort in the order in which they were minted", () => {
    const ids = Array.from({ length: 5_000 }, () => newId("execution"));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });
});

it("the mark of a frame contains 128 random bits in hex", () => {
  const marks = Array.from({ length: 100 }, newFrameNonce);
  expect(marks.filter((mark) => !/^[0-9a-f]{32}$/.test(mark))).toEqual([]);
  expect(new Set(marks).size).toBe(100);
});
