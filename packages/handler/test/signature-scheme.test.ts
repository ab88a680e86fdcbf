import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { type CreateHandlerOptions, verifyCall } from "../src/index.ts";
import { signedCallParts } from "../src/testing.ts";
import { NOW_MS, OTHER_SECRET, SECRET } from "./support/calls.ts";
import { outcomeOf } from "./support/outcome.ts";
import { call, handlerOf, toolThat } from "./support/tools.ts";

const WEBHOOK_HEADERS = ["webhook-id", "webhook-timestamp", "webhook-signature"];
const signatureScheme = "standard-webhooks";

type Headers = Readonly<Record<string, string>>;

async function answerTo(change: (headers: Headers) => Headers, options: Partial<CreateHandlerOptions> = {}) {
  const { handler, logger } = handlerOf(
    toolThat(() => "done"),
    { signatureScheme, now: () => NOW_MS, ...options },
  );
  const { url, headers, body } = await signedCallParts(call({ timestampMs: NOW_MS }));
  const response = await handler(new Request(url, { method: "POST", headers: change(headers), body }));
  const answer: unknown = await response.json();
  const { result, error } = Object(answer);
  return {
    status: response.status,
    isSigned: response.headers.has("x-ya-signature"),
    result,
    code: error?.code,
    logger,
  };
}

const without =
  (...names: string[]) =>
  (headers: Headers) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

describe("a handler that is told to verify Standard Webhooks", () => {
  it("takes a call by these headers alone, and signs its answer as ever", async () => {
    expect(await answerTo(without("x-ya-signature"))).toMatchObject({ status: 200, isSigned: true, result: "done" });
    expect(await answerTo((headers) => ({ ...headers, "x-ya-signature": "sha256=wrong" }))).toMatchObject({
      status: 200,
    });
  });

  it("takes what another service signs anew, under an id and a time of its own", async () => {
    const parts = await signedCallParts(call({ timestampMs: NOW_MS }));
    const at = new Date(NOW_MS + 2_000);
    const signature = new Webhook(SECRET).sign("msg_1", at, new TextDecoder().decode(parts.body));
    const timestamp = String(at.getTime() / 1_000);
    const headers = { "webhook-id": "msg_1", "webhook-timestamp": timestamp, "webhook-signature": signature };
    const options = { secrets: SECRET, signatureScheme, now: () => NOW_MS } as const;
    expect(await verifyCall({ headers, body: parts.body }, options)).toMatchObject({ name: "lookup_order" });
    const late = { ...options, now: () => NOW_MS + 302_001 };
    expect(await outcomeOf(() => verifyCall({ headers, body: parts.body }, late))).toBe("TIMESTAMP_TOO_OLD");
  });

  it.each<[string, (headers: Headers) => Headers, string]>([
    ["without them, whatever X-YA-Signature says", without(...WEBHOOK_HEADERS), "SIGNATURE_MISSING"],
    ["without an id", without("webhook-id"), "SIGNATURE_MISSING"],
    ["under another id", (headers) => ({ ...headers, "webhook-id": "tc_2" }), "SIGNATURE_MISMATCH"],
    ["under a later time", (headers) => ({ ...headers, "webhook-timestamp": "1800000001" }), "SIGNATURE_MISMATCH"],
    [
      "with a signature that is none",
      (headers) => ({ ...headers, "webhook-signature": "v1,x" }),
      "SIGNATURE_MALFORMED",
    ],
  ])("refuses a call %s", async (_name, change, code) => {
    expect(await answerTo(change)).toMatchObject({ status: 401, isSigned: false, code });
  });

  it("refuses another secret, and calls out of their time", async () => {
    const same = (headers: Headers) => headers;
    expect(await answerTo(same, { secrets: OTHER_SECRET })).toMatchObject({ code: "SIGNATURE_MISMATCH" });
    expect(await answerTo(same, { now: () => NOW_MS + 301_000 })).toMatchObject({ code: "TIMESTAMP_TOO_OLD" });
    expect(await answerTo(same, { now: () => NOW_MS - 301_000 })).toMatchObject({ code: "TIMESTAMP_IN_FUTURE" });
  });

  it("says in development why a signature may not match", async () => {
    const body = "[1, 2]";
    const { handler, logger } = handlerOf(
      toolThat(() => "done"),
      { signatureScheme, isDevelopment: true },
    );
    const signature = new Webhook(SECRET).sign("msg_1", new Date(NOW_MS), JSON.stringify([1, 2]));
    const headers = { "webhook-id": "msg_1", "webhook-timestamp": "1800000000", "webhook-signature": signature };
    await handler(new Request("https://h.test", { method: "POST", headers, body }));
    expect(logger.lines[0]?.fields).toMatchObject({ likelyCause: expect.stringMatching(/serialised again/) });
  });
});

it("a handler that is not told to takes nothing from these headers", async () => {
  expect(await answerTo(without("x-ya-signature"), { signatureScheme: "yagate" })).toMatchObject({
    status: 401,
    code: "SIGNATURE_MISSING",
  });
});

it("a scheme that is misspelt is refused when the handler is made", async () => {
  const options: object = { signatureScheme: "standardwebhooks" };
  expect(
    await outcomeOf(() =>
      handlerOf(
        toolThat(() => 1),
        options,
      ),
    ),
  ).toBe("INVALID_REQUEST");
});
