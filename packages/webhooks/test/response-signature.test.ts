import { generateSigningSecret, type SignedAnswer, sign, signAnswer } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { createWorld, failureOf, WORKSPACE } from "./support/dispatch-world.ts";
import { send, startHandler } from "./support/handler-server.ts";

type Change = Partial<{
  signed: Partial<SignedAnswer>;
  secret: string;
  status: number;
  sentBody: string;
  header: (signature: string) => string | string[] | undefined;
}>;

const BODY = '{"result":"shipped"}';

/** Answers with a signature; each change makes one thing another than what was signed. */
async function answerWith(change: Change, tool: { requireSignedAnswer?: boolean } = { requireSignedAnswer: true }) {
  const world = await createWorld();
  const status = change.status ?? 200;
  const sentBody = change.sentBody ?? BODY;
  const handler = await startHandler(async (response) => {
    const answer = { toolCallId: "tc_01", status, body: new TextEncoder().encode(sentBody), ...change.signed };
    const signature = await signAnswer(answer, [change.secret ?? world.secret]);
    const value = change.header === undefined ? signature : change.header(signature);
    send(response, { status, headers: value === undefined ? {} : { "X-YA-Signature": value }, body: sentBody });
  });
  return { report: await world.attempt(handler.url, { tool }), world, handler };
}

const unsigned: Change = { header: () => undefined };

describe("a signed answer", () => {
  it.each<[string, Change]>([
    ["with one entry", {}],
    ["with a strange entry before it", { header: (signature) => `sha512=00,${signature}` }],
    ["in a second header of that name", { header: (signature) => [`sha256=${"0".repeat(64)}`, signature] }],
    ["with another status", { status: 201 }],
  ])("is believed %s", async (_name, change) => {
    const { report } = await answerWith(change);
    expect(report.answer).toEqual({ result: "shipped" });
  });

  it("is believed with the older secret of a rotation", async () => {
    const older = generateSigningSecret();
    const world = await createWorld({ secrets: { default: [generateSigningSecret(), older] } });
    const handler = await startHandler(async (response) => {
      const body = new TextEncoder().encode(BODY);
      const signature = await signAnswer({ toolCallId: "tc_01", status: 200, body }, [older]);
      send(response, { headers: { "X-YA-Signature": signature }, body: BODY });
    });
    const report = await world.attempt(handler.url, { tool: { requireSignedAnswer: true } });
    expect(report.answer).toEqual({ result: "shipped" });
  });

  const wrong: [string, Change, string][] = [
    ["over another body", { signed: { body: new TextEncoder().encode('{"result":"lost"}') } }, "SIGNATURE_MISMATCH"],
    ["over another status", { signed: { status: 201 } }, "SIGNATURE_MISMATCH"],
    ["over another call", { signed: { toolCallId: "tc_02" } }, "SIGNATURE_MISMATCH"],
    ["with another secret", { secret: generateSigningSecret() }, "SIGNATURE_MISMATCH"],
    ["in upper case", { header: (signature) => signature.toUpperCase() }, "SIGNATURE_MALFORMED"],
    ["as one word", { header: () => "signed" }, "SIGNATURE_MALFORMED"],
    ["as a list of eleven", { header: (signature) => Array(11).fill(signature).join(",") }, "SIGNATURE_MALFORMED"],
    [
      "over an error",
      { sentBody: '{"error":{"code":"A","message":"a"}}', secret: generateSigningSecret() },
      "SIGNATURE_MISMATCH",
    ],
    ["over a failing status", { status: 503, signed: { status: 200 } }, "SIGNATURE_MISMATCH"],
  ];

  describe.each([true, false])("with requireSignedAnswer: %s", (requireSignedAnswer) => {
    it.each(wrong)("is refused when it is wrong: %s", async (_name, change, developerMessage) => {
      const { report } = await answerWith(change, { requireSignedAnswer });
      expect(failureOf(report)).toMatchObject({
        code: "INVALID_RESPONSE_SIGNATURE",
        source: "gateway",
        isRetryable: false,
        outcome: "unknown",
        developerMessage,
      });
    });
  });

  it("can't be the call's own signature, sent back", async () => {
    const world = await createWorld();
    const handler = await startHandler((response, call) => {
      send(response, { headers: { "X-YA-Signature": String(call.headers["x-ya-signature"]) }, body: call.body });
    });
    expect(failureOf(await world.attempt(handler.url))).toMatchObject({ code: "INVALID_RESPONSE_SIGNATURE" });
  });

  it("can't be a call's signature over the answer", async () => {
    const world = await createWorld();
    const handler = await startHandler(async (response) => {
      const signature = await sign(new TextEncoder().encode(BODY), [world.secret]);
      send(response, { headers: { "X-YA-Signature": signature }, body: BODY });
    });
    expect(failureOf(await world.attempt(handler.url))).toMatchObject({ code: "INVALID_RESPONSE_SIGNATURE" });
  });
});

describe("an unsigned answer", () => {
  it.each([200, 302, 404, 410, 500])("is refused with status %i when the tool wants signatures", async (status) => {
    const { report } = await answerWith({ ...unsigned, status });
    expect(failureOf(report)).toMatchObject({
      code: "INVALID_RESPONSE_SIGNATURE",
      isRetryable: false,
      outcome: "unknown",
      developerMessage: `SIGNATURE_MISSING: HTTP ${status}, without a signature`,
    });
  });

  it.each<[string, number, string, string]>([
    [
      "another secret",
      401,
      '{"error":{"code":"SIGNATURE_MISMATCH","message":"SIGNATURE_MISMATCH"}}',
      "HTTP 401, without a signature, claims SIGNATURE_MISMATCH (not verified): the handler probably has a different signing secret",
    ],
    [
      "a wrong mounting",
      500,
      '{"error":{"code":"BODY_ALREADY_PARSED","message":"mount it first","retryable":false}}',
      "HTTP 500, without a signature, claims BODY_ALREADY_PARSED (not verified): mount the tool handler before any body parser",
    ],
    [
      "words of somebody else",
      401,
      '{"error":{"code":"PLANTED","message":"planted"}}',
      "HTTP 401, without a signature",
    ],
    ["no JSON", 502, "<html>SIGNATURE_MISMATCH", "HTTP 502, without a signature"],
  ])("tells people, and nobody else, what it claims: %s", async (_name, status, sentBody, told) => {
    const { report } = await answerWith({ ...unsigned, status, sentBody });
    const { developerMessage, ...others } = failureOf(report);
    expect(developerMessage).toBe(`SIGNATURE_MISSING: ${told}`);
    expect(others).toEqual({
      code: "INVALID_RESPONSE_SIGNATURE",
      message: "the tool's response can't be trusted: it must be signed, but it is not",
      source: "gateway",
      isRetryable: false,
      outcome: "unknown",
    });
  });

  it("is taken when the tool does not want signatures", async () => {
    const { report } = await answerWith(unsigned, {});
    expect(report.answer).toEqual({ result: "shipped" });
  });

  it("disables nothing with 410 when the tool wants signatures", async () => {
    const { world, handler } = await answerWith({ ...unsigned, status: 410, sentBody: "" });
    expect(world.endpoints.isDisabled(WORKSPACE, handler.url)).toBe(false);
  });

  it("disables nothing with 410 and a wrong signature", async () => {
    const { world, handler } = await answerWith({ status: 410, sentBody: "", secret: generateSigningSecret() }, {});
    expect(world.endpoints.isDisabled(WORKSPACE, handler.url)).toBe(false);
  });

  it("disables the endpoint with a signed 410", async () => {
    const { world, handler } = await answerWith({ status: 410, sentBody: "" });
    expect(world.endpoints.isDisabled(WORKSPACE, handler.url)).toBe(true);
  });
});
