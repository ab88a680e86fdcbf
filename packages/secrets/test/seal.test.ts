import fc from "fast-check";
import { compactDecrypt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { parseMasterKeys } from "../src/keyring.ts";
import { createSealer } from "../src/seal.ts";
import { masterKeyOf } from "./support.ts";

const KEYS = masterKeyOf("k1");
const sealer = createSealer(parseMasterKeys(KEYS));
const CONTEXT = ["signing-secret", "ws_1", "default", "sec_1"];
const REFUSED = { code: "INTERNAL", message: expect.stringContaining("could not be decrypted") };

const contexts = fc.array(fc.string({ maxLength: 12 }), { maxLength: 4 });

describe("sealing", () => {
  it("gives every text back, in its own context", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 300 }), contexts, async (text, context) => {
        const whole = text.toWellFormed();
        expect(await sealer.open(await sealer.seal(whole, context), context)).toBe(whole);
      }),
      { numRuns: 200 },
    );
  });

  it("opens in no other context", async () => {
    await fc.assert(
      fc.asyncProperty(contexts, contexts, async (context, other) => {
        fc.pre(JSON.stringify(context) !== JSON.stringify(other));
        await expect(sealer.open(await sealer.seal("text", context), other)).rejects.toMatchObject(REFUSED);
      }),
      { numRuns: 200 },
    );
  });

  it("opens no text of which one bit was changed", async () => {
    const sealed = await sealer.seal("whsec_text", CONTEXT);
    for (let index = 0; index < sealed.length; index += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const bytes = Buffer.from(sealed, "latin1");
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        const opening = sealer.open(bytes.toString("latin1"), CONTEXT);
        await expect(opening, `bit ${bit} of character ${index}`).rejects.toMatchObject({
          code: expect.stringMatching(/^(INTERNAL|NOT_CONFIGURED)$/),
        });
      }
    }
  });

  it.each([
    ["nothing", () => ""],
    ["a text with white space", (sealed: string) => `${sealed} `],
    ["a text without its tag", (sealed: string) => sealed.slice(0, sealed.lastIndexOf(".") + 1)],
    ["a text with a short tag", (sealed: string) => sealed.slice(0, -16)],
    ["four segments", (sealed: string) => sealed.replace("..", ".")],
    ["a padded segment", (sealed: string) => `${sealed}==`],
  ])("refuses %s", async (_name, change) => {
    const sealed = await sealer.seal("text", CONTEXT);
    await expect(sealer.open(change(sealed), CONTEXT)).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("never seals one text twice alike, and shows nothing of it", async () => {
    const texts = await Promise.all(Array.from({ length: 20 }, () => sealer.seal("whsec_plain", CONTEXT)));
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(Buffer.from(text, "base64url").toString("latin1")).not.toContain("whsec_plain");
  });

  it("is a JWE that any library opens with the key", async () => {
    const sealed = await sealer.seal("text", CONTEXT);
    expect(decodeProtectedHeader(sealed)).toEqual({ alg: "dir", enc: "A256GCM", kid: "k1", context: CONTEXT });
    const { plaintext } = await compactDecrypt(sealed, parseMasterKeys(KEYS).active.key);
    expect(new TextDecoder().decode(plaintext)).toBe("text");
  });
});

describe("master keys that change", () => {
  it("seal with the first and open with all", async () => {
    const old = await sealer.seal("text", CONTEXT);
    const both = createSealer(parseMasterKeys(`${masterKeyOf("k2")},${KEYS}`));
    expect(await both.open(old, CONTEXT)).toBe("text");
    expect(decodeProtectedHeader(await both.seal("text", CONTEXT))["kid"]).toBe("k2");
  });

  it("say that a key is missing", async () => {
    const sealed = await sealer.seal("text", CONTEXT);
    const opening = createSealer(parseMasterKeys(masterKeyOf("k2"))).open(sealed, CONTEXT);
    await expect(opening).rejects.toMatchObject({
      code: "NOT_CONFIGURED",
      message: expect.stringContaining("master key that is not configured"),
    });
  });

  it("do not open with another key of the same id", async () => {
    const sealed = await sealer.seal("text", CONTEXT);
    const opening = createSealer(parseMasterKeys(masterKeyOf("k1"))).open(sealed, CONTEXT);
    await expect(opening).rejects.toMatchObject(REFUSED);
  });
});
