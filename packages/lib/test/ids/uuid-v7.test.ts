import { describe, expect, it } from "vitest";
import { createUuidV7 } from "../../src/ids/uuid-v7.ts";
import { typeIdToUuid } from "./typeid-bits.ts";

const NOW = 1_790_000_000_123;

const timeOf = (suffix: string) => Number.parseInt(typeIdToUuid(suffix).replaceAll("-", "").slice(0, 12), 16);

/** The examples of the TypeID specification. */
it.each([
  ["00000000000000000000000000", "00000000-0000-0000-0000-000000000000"],
  ["0000000000000000000000000g", "00000000-0000-0000-0000-000000000010"],
  ["7zzzzzzzzzzzzzzzzzzzzzzzzz", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  ["0123456789abcdefghjkmnpqrs", "0110c853-1d09-52d8-d73e-1194e95b5f19"],
  ["01h455vb4pex5vsknk084sn02q", "01890a5d-ac96-774b-bcce-b302099a8057"],
])("the oracle of these tests reads %s as %s", (suffix, uuid) => {
  expect(typeIdToUuid(suffix)).toBe(uuid);
});

describe("createUuidV7", () => {
  it("generates UUIDs of version 7 and variant 10 that contain the time", () => {
    const uuidV7 = createUuidV7();
    for (let ms = NOW; ms < NOW + 2_000; ms += 1) {
      const suffix = uuidV7(ms);
      expect(typeIdToUuid(suffix)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(timeOf(suffix)).toBe(ms);
    }
  });

  it.each([0, 2 ** 48 - 1])("contains the time %i", (ms) => {
    expect(timeOf(createUuidV7()(ms))).toBe(ms);
  });

  it("generates 5,000 distinct, sorted ids in one millisecond", () => {
    const uuidV7 = createUuidV7();
    const ids = Array.from({ length: 5_000 }, () => uuidV7(NOW));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids.map(timeOf))).toEqual(new Set([NOW]));
  });

  it("keeps the order while the clock goes back", () => {
    const uuidV7 = createUuidV7();
    const ids = [NOW, NOW - 60_000, NOW - 1, NOW, NOW + 1].map(uuidV7);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.map(timeOf)).toEqual([NOW, NOW, NOW, NOW, NOW + 1]);
  });

  it("continues in the next millisecond when the counter is full", () => {
    const uuidV7 = createUuidV7();
    let last = uuidV7(NOW);
    let isSorted = true;
    for (let index = 0; index < 2 ** 20; index += 1) {
      const next = uuidV7(NOW);
      isSorted &&= next > last;
      last = next;
    }
    expect([isSorted, timeOf(last) > NOW]).toEqual([true, true]);
    expect(uuidV7(NOW + 1) > last).toBe(true);
  });

  it("draws every bit that neither time nor version nor variant fixes", () => {
    // Generators of their own: as many processes would have them.
    const ids = Array.from({ length: 2_000 }, () => createUuidV7()(NOW));
    const seen = Array.from({ length: 26 }, (_, index) => new Set(ids.map((id) => id[index])));
    expect(new Set(ids.map((id) => id.slice(-8))).size).toBe(ids.length);
    // The version leaves one bit of its character, the variant three, and the counter starts in its lower half.
    const expected = [
      ...Array.from({ length: 10 }, () => 1),
      2,
      32,
      32,
      8,
      16,
      ...Array.from({ length: 11 }, () => 32),
    ];
    expect(seen.map(({ size }) => size)).toEqual(expected);
  });
});
