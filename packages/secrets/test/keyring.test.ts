import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { parseMasterKeys } from "../src/keyring.ts";
import { masterKeyOf } from "./support.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

describe("parseMasterKeys", () => {
  it("takes the first key as the active one and finds the others", () => {
    const keyring = parseMasterKeys(`${masterKeyOf("new-1")}, ${masterKeyOf("old_1")},\n`);
    expect(keyring.active.kid).toBe("new-1");
    expect(keyring.find("old_1")?.kid).toBe("old_1");
    expect(keyring.find("other")).toBeUndefined();
  });

  it.each([
    ["base64", KEY],
    ["base64 without padding", KEY.replace("=", "")],
    ["base64url", Buffer.alloc(32, 0xff).toString("base64url")],
  ])("reads %s", (_name, text) => {
    const { key } = parseMasterKeys(`k:${text}`).active;
    expect(key.export()).toEqual(Buffer.from(text, "base64"));
  });

  it.each([
    ["nothing", "", /at least one master key/],
    ["only separators", " , \n", /at least one master key/],
    ["a key without an id", KEY, /^master key 1: /],
    ["an empty id", `:${KEY}`, /^master key 1: /],
    ["an id with a character that is not allowed", `k/1:${KEY}`, /^master key 1: /],
    ["a key of 31 bytes", `k:${randomBytes(31).toString("base64")}`, /^master key 1: /],
    ["a key of 33 bytes", `k:${randomBytes(33).toString("base64")}`, /^master key 1: /],
    ["a passphrase", "k:correct horse battery staple", /^master key 1: /],
    ["text after the key", `k:${KEY}:x`, /^master key 1: /],
    ["a last character that holds bits of no byte", `k:${KEY.slice(0, 42)}d=`, /^master key 1: /],
    ["a wrong second key", `k:${KEY},l:${KEY.slice(1)}`, /^master key 2: /],
    ["one id twice", `${masterKeyOf("k")},${masterKeyOf("k")}`, /a different id/],
  ])("refuses %s without repeating it", (_name, text, message) => {
    const refusal = expect.objectContaining({ code: "NOT_CONFIGURED", message: expect.stringMatching(message) });
    expect(() => parseMasterKeys(text)).toThrow(refusal);
    const words = text.split(/[:,\s]/).filter((word) => word.length > 3);
    try {
      parseMasterKeys(text);
    } catch (error) {
      for (const word of words) expect(String(error)).not.toContain(word);
    }
  });

  it("prints without its keys", () => {
    const { active } = parseMasterKeys(`k:${KEY}`);
    const printed = inspect(active, { depth: 9, showHidden: true }) + JSON.stringify(active);
    expect(printed).not.toContain(KEY.slice(0, 20));
    expect(printed).not.toContain("07 07 07");
  });
});
