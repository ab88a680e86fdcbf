import { expect, it } from "vitest";
import { signAnswer, signStandardWebhook } from "../../src/index.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const body = new TextEncoder().encode("{}");
const codeOf = (signed: Promise<string>) =>
  signed.then(
    () => undefined,
    (error: unknown) => Object(error).code,
  );

it.each([
  [99, "PAYLOAD_INVALID"],
  [100, undefined],
  [599, undefined],
  [600, "PAYLOAD_INVALID"],
  [200.5, "PAYLOAD_INVALID"],
])("an answer with the status %s", async (status, code) => {
  expect(await codeOf(signAnswer({ toolCallId: "tc_1", status, body }, [SECRET]))).toBe(code);
});

it.each([
  [-1, "PAYLOAD_INVALID"],
  [0, undefined],
  [Number.MAX_SAFE_INTEGER, undefined],
  [Number.MAX_SAFE_INTEGER + 1, "PAYLOAD_INVALID"],
])("a webhook of second %s", async (timestampSeconds, code) => {
  expect(await codeOf(signStandardWebhook({ id: "tc_1", timestampSeconds, body }, [SECRET]))).toBe(code);
});
