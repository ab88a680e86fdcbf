import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../src/index.ts";
import { builds } from "./builds.ts";

const [first, second] = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQ0b1c2d3e4U=", `whsec_${"A".repeat(43)}=`] as const;
const bytes = (text: string) => new TextEncoder().encode(text);

/** What any service that verifies GitHub's webhooks does, with our secret pasted in. */
function githubStyleSignature(secret: string, text: string | Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
}

describe.each(builds)("%s", (_name, { sign, signAnswer, signCallback, verifySignature, verifyAnswerSignature }) => {
  it("signs a call as a GitHub-style verifier expects it", async () => {
    expect(await sign(bytes('{"a":"é"}'), [first])).toBe(githubStyleSignature(first, '{"a":"é"}'));
  });

  it("signs with each secret, in the order given", async () => {
    const header = await sign(bytes("{}"), [second, first]);
    expect(header).toBe(`${githubStyleSignature(second, "{}")},${githubStyleSignature(first, "{}")}`);
  });

  it("signs an answer bound to its call and status", async () => {
    const answer = { toolCallId: "tc_1", status: 200, body: bytes('{"result":1}') };
    const header = await signAnswer(answer, [first]);
    expect(header).toBe(githubStyleSignature(first, 'answer.tc_1.200.{"result":1}'));
    await expect(verifyAnswerSignature(header, answer, [second, first])).resolves.toBeUndefined();
  });

  it("signs a callback bound to its call", async () => {
    const header = await signCallback({ toolCallId: "tc_1", body: bytes('{"result":1}') }, [first, second]);
    const text = 'callback.tc_1.{"result":1}';
    expect(header).toBe(`${githubStyleSignature(first, text)},${githubStyleSignature(second, text)}`);
  });

  it("takes a call of exactly 1 MiB, with eight secrets", async () => {
    const body = new Uint8Array(1_048_576);
    const secrets = Array.from({ length: 8 }, (_, index) => `whsec_${String(index).repeat(32)}`);
    await expect(verifySignature(await sign(body, secrets), body, secrets)).resolves.toBeUndefined();
  });

  it("signs a view into shared memory and a part of a larger buffer", async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(8), 2, 3).fill(65);
    expect(await sign(shared, [first])).toBe(githubStyleSignature(first, "AAA"));
    expect(await sign(bytes("xAAAx").subarray(1, 4), [first])).toBe(githubStyleSignature(first, "AAA"));
  });

  const body = bytes("{}");
  const nine = Array.from({ length: 9 }, (_, index) => `whsec_${String(index).repeat(32)}`);
  it.each<[string, () => Promise<string>, ErrorCode]>([
    ["a call over 1 MiB", () => sign(new Uint8Array(1_048_577), [first]), "BODY_TOO_LARGE"],
    ["a call without a secret", () => sign(body, []), "SECRET_INVALID"],
    ["a call with nine secrets", () => sign(body, nine), "SECRET_INVALID"],
    ["a call with a good and a bad secret", () => sign(body, [first, "hunter2"]), "SECRET_INVALID"],
    ["an answer without a secret", () => signAnswer({ toolCallId: "tc_1", status: 200, body }, []), "SECRET_INVALID"],
    [
      "an answer to an id with a dot",
      () => signAnswer({ toolCallId: "tc_1.200", status: 200, body }, [first]),
      "PAYLOAD_INVALID",
    ],
    [
      "an answer to another kind of id",
      () => signAnswer({ toolCallId: "exec_1", status: 200, body }, [first]),
      "PAYLOAD_INVALID",
    ],
    [
      "an answer with half a status",
      () => signAnswer({ toolCallId: "tc_1", status: 200.5, body }, [first]),
      "PAYLOAD_INVALID",
    ],
    ["a callback with nine secrets", () => signCallback({ toolCallId: "tc_1", body }, nine), "SECRET_INVALID"],
    ["a callback without an id", () => signCallback({ toolCallId: "", body }, [first]), "PAYLOAD_INVALID"],
  ])("refuses to sign %s", async (_case, signing, code) => {
    await expect(signing()).rejects.toMatchObject({ code });
  });
});

it("gives the same bytes in both builds", async () => {
  const [[, node], [, web]] = builds as [(typeof builds)[number], (typeof builds)[number]];
  const secret = fc
    .uint8Array({ minLength: 24, maxLength: 64 })
    .map((key) => `whsec_${Buffer.from(key).toString("base64")}`);
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(secret, { minLength: 1, maxLength: 4 }),
      async (body, secrets) => {
        expect(await web.sign(body, secrets)).toBe(await node.sign(body, secrets));
        const answer = { toolCallId: "tc_1", status: 200, body };
        expect(await web.signAnswer(answer, secrets)).toBe(await node.signAnswer(answer, secrets));
        const webhook = { id: "tc_1", timestampSeconds: 1_800_000_000, body };
        expect(await web.signStandardWebhook(webhook, secrets)).toBe(await node.signStandardWebhook(webhook, secrets));
      },
    ),
  );
});
