import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ErrorCode, YagateError } from "../../src/index.ts";
import { builds } from "./builds.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQ0b1c2d3e4U=";
const body = new TextEncoder().encode('{"toolCallId":"tc_1"}');

const anyKey = fc.uint8Array({ minLength: 24, maxLength: 64 });
const anyBody = fc.uint8Array({ maxLength: 300 });
const bitIndex = fc.nat();

const toSecret = (key: Uint8Array) => `whsec_${Buffer.from(key).toString("base64")}`;

function flipBit(bytes: Uint8Array, index: number): Uint8Array {
  const changed = bytes.slice();
  const bit = index % (bytes.byteLength * 8);
  changed.set([(bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))], bit >> 3);
  return changed;
}

function flipHeaderBit(header: string, index: number): string {
  return Buffer.from(flipBit(Buffer.from(header, "latin1"), index)).toString("latin1");
}

/** A caller without types can pass anything at all. */
function untyped(verify: unknown): (...values: unknown[]) => Promise<void> {
  if (typeof verify !== "function") throw new TypeError("expected a function");
  return (...values) => verify(...values);
}

describe.each(builds)("%s", (_name, protocol) => {
  const { sign, verifySignature, signAnswer, verifyAnswerSignature, signCallback, verifyCallbackSignature } = protocol;

  it("accepts what was signed, for any bytes and any secret", async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, anyKey, anyKey, async (bytes, key, otherKey) => {
        const [held, other] = [toSecret(key), toSecret(otherKey)];
        const answer = { toolCallId: "tc_1", status: 200, body: bytes };
        const callback = { toolCallId: "tc_1", body: bytes };
        const verifications = [
          verifySignature(await sign(bytes, [held]), bytes, [held]),
          verifySignature(await sign(bytes, [other, held]), bytes, [held]),
          verifySignature(await sign(bytes, [held]), bytes, [other, held]),
          verifyAnswerSignature(await signAnswer(answer, [held]), answer, [held]),
          verifyCallbackSignature(await signCallback(callback, [held]), callback, [held]),
        ];
        await expect(Promise.all(verifications)).resolves.toHaveLength(5);
      }),
    );
  });

  it("refuses a body in which any one bit changed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), bitIndex, async (bytes, bit) => {
        const changed = flipBit(bytes, bit);
        const mismatch = { code: "SIGNATURE_MISMATCH" };
        const call = await sign(bytes, [secret]);
        await expect(verifySignature(call, changed, [secret])).rejects.toMatchObject(mismatch);
        const answer = { toolCallId: "tc_1", status: 200 };
        const header = await signAnswer({ ...answer, body: bytes }, [secret]);
        await expect(verifyAnswerSignature(header, { ...answer, body: changed }, [secret])).rejects.toMatchObject(
          mismatch,
        );
      }),
    );
  });

  it("refuses a key in which any one bit changed", async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, anyKey, bitIndex, async (bytes, key, bit) => {
        const header = await sign(bytes, [toSecret(key)]);
        const verification = verifySignature(header, bytes, [toSecret(flipBit(key, bit))]);
        await expect(verification).rejects.toMatchObject({ code: "SIGNATURE_MISMATCH" });
      }),
    );
  });

  it("refuses a header in which any one bit changed", async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, bitIndex, async (bytes, bit) => {
        const header = flipHeaderBit(await sign(bytes, [secret]), bit);
        await expect(verifySignature(header, bytes, [secret])).rejects.toMatchObject({
          code: expect.stringMatching(/^SIGNATURE_M(?:ISMATCH|ALFORMED)$/),
        });
      }),
    );
  });

  it("throws nothing but its own error, whatever it is given", async () => {
    const header = await sign(body, [secret]);
    const verify = untyped(verifySignature);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.anything(), fc.string(), fc.constant(header)),
        fc.oneof(fc.anything(), fc.constant(body)),
        fc.oneof(fc.anything(), fc.array(fc.anything()), fc.constant([secret])),
        async (anyHeader, anyBytes, anySecrets) => {
          const isGood = anyHeader === header && anyBytes === body && Array.isArray(anySecrets);
          const outcome = await verify(anyHeader, anyBytes, anySecrets).then(
            () => "accept",
            (error: unknown) => (YagateError.is(error) ? "refuse" : error),
          );
          expect(outcome).toBe(
            isGood && anySecrets.every((held) => held === secret) && anySecrets.length > 0 ? "accept" : "refuse",
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it("skips elements that are no entry, wherever they stand, and counts ten at most", async () => {
    const valid = await sign(body, [secret]);
    const junk = fc.oneof(
      fc.constant("sha512=00"),
      fc.constant(`${valid}0`),
      fc.string().map((text) => `x${text.replaceAll(",", "")}`),
    );
    const blank = fc.constantFrom("", " ", "\t", "  \t");
    await fc.assert(
      fc.asyncProperty(fc.array(junk, { maxLength: 12 }), fc.nat(12), blank, async (entries, position, space) => {
        const list = [...entries.slice(0, position), valid, ...entries.slice(position)];
        const verification = verifySignature(list.join(`${space},,${space}`), body, [secret]);
        if (list.length <= 10) await expect(verification).resolves.toBeUndefined();
        else await expect(verification).rejects.toMatchObject({ code: "SIGNATURE_MALFORMED" });
      }),
    );
  });

  it.each<[string, unknown, unknown, unknown, ErrorCode]>([
    ["a header that is a list of strings", ["sha256="], body, [secret], "SIGNATURE_MALFORMED"],
    ["no header", null, body, [secret], "SIGNATURE_MISSING"],
    ["a header of white space", " \t", body, [secret], "SIGNATURE_MALFORMED"],
    ["a no-break space before the entry", `\u00a0sha256=${"0".repeat(64)}`, body, [secret], "SIGNATURE_MALFORMED"],
    ["a body that a parser turned into an object", "sha256=", { a: 1 }, [secret], "BODY_ALREADY_PARSED"],
    ["a body that a parser turned into text", "sha256=", "{}", [secret], "BODY_ALREADY_PARSED"],
    ["a secret outside of a list", "sha256=", body, secret, "SECRET_INVALID"],
    ["a list of secrets with a hole", "sha256=", body, new Array(1), "SECRET_INVALID"],
    ["a bad secret even without a header", undefined, body, [""], "SECRET_INVALID"],
  ])("refuses %s", async (_case, header, bytes, secrets, code) => {
    await expect(untyped(verifySignature)(header, bytes, secrets)).rejects.toMatchObject({ code });
  });

  it("names no secret, signature or body in a message", async () => {
    const header = await sign(new Uint8Array(), [secret]);
    const errors = await Promise.all(
      [
        verifySignature(header, body, [secret]),
        verifySignature(`${header}0`, body, [secret]),
        verifySignature(header, body, [`${secret} `]),
      ].map((verification) => verification.catch((error: unknown) => String(error))),
    );
    for (const text of errors) {
      expect(text).toMatch(/^YagateError: /);
      expect(text).not.toMatch(/MfKQ|tc_1|[0-9a-f]{16}/);
    }
  });
});
