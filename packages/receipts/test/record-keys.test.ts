import { describe, expect, it } from "vitest";
import { parseMasterKeys } from "../../secrets/src/keyring.ts";
import { createRecordKeys } from "../src/record-keys.ts";
import { MASTER_KEYS } from "./support/receipt-world.ts";

const keysOf = (...texts: readonly string[]) => createRecordKeys(parseMasterKeys(texts.join(",")));
const { old, next, other } = MASTER_KEYS;
const kidsOf = (keys: ReturnType<typeof keysOf>, workspaceId: string) =>
  keys.keySet(workspaceId).keys.map(({ kid }) => kid);

describe("the keys of records", () => {
  it("are the same in every process, and others for every workspace and master key", () => {
    expect(kidsOf(keysOf(old), "ws_1")).toEqual(kidsOf(keysOf(old), "ws_1"));
    const all = [kidsOf(keysOf(old), "ws_1"), kidsOf(keysOf(old), "ws_2"), kidsOf(keysOf(other), "ws_1")].flat();
    expect(new Set(all).size).toBe(3);
  });

  it("stay in the set while their master key is configured, the active one first", () => {
    const [before] = kidsOf(keysOf(old), "ws_1");
    const after = kidsOf(keysOf(next, old), "ws_1");
    expect(after).toHaveLength(2);
    expect(after[1]).toBe(before);
  });

  it("give public halves only", () => {
    const { keys } = keysOf(old).keySet("ws_1");
    expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
  });

  it.each<[string, Parameters<ReturnType<typeof keysOf>["isSealOf"]>, boolean | undefined]>([
    ["its own seal", ["text", "old", keysOf(old).seal("text").mac], true],
    ["the seal of another text", ["text", "old", keysOf(old).seal("texts").mac], false],
    ["the seal of another key of the same name", ["text", "old", keysOf(other).seal("text").mac], false],
    ["a seal that is too short", ["text", "old", "x"], false],
    ["a seal of a key that is not there", ["text", "gone", keysOf(old).seal("text").mac], undefined],
  ])("say of %s what it is", (_what, [text, kid, mac], expected) => {
    expect(keysOf(next, old).isSealOf(text, kid, mac)).toBe(expected);
  });
});
