import { describe, expect, it } from "vitest";
import { createWorld, failureOf } from "./support/dispatch-world.ts";
import { send, startHandler, startReplier } from "./support/handler-server.ts";

const hexadecimal = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

describe("the record of an attempt", () => {
  it("holds what was sent, without the signatures", async () => {
    const handler = await startReplier({ body: { result: 1 } });
    const { request, requestBytes } = await (await createWorld()).attempt(handler.url);
    const [call] = handler.calls;
    expect(request.headers).toEqual({
      "Content-Type": "application/json",
      "X-YA-Signature": "[redacted]",
      "Idempotency-Key": "tc_01",
      "webhook-id": "tc_01",
      "webhook-timestamp": "1795240800",
      "webhook-signature": "[redacted]",
      traceparent: call?.headers["traceparent"],
    });
    expect(request).toMatchObject({
      body: String(call?.body),
      bodyBytes: call?.body.byteLength,
      isTruncated: false,
    });
    expect(requestBytes).toBe(call?.body.byteLength);
  });

  it("holds what came back, without signatures, cookies and credentials", async () => {
    const headers = {
      "x-trace": ["a", "b"],
      "set-cookie": ["session=1", "theme=2"],
      authorization: "Bearer t",
      "webhook-signature": "v1,x",
    };
    const handler = await startReplier({ headers, body: { result: "Zürich" } });
    const { response, responseBytes, httpStatus, timings, durationMs } = await (await createWorld()).attempt(
      handler.url,
    );
    expect(response).toMatchObject({
      headers: {
        "content-type": "application/json",
        "x-trace": "a, b",
        "set-cookie": "[redacted]",
        authorization: "[redacted]",
        "webhook-signature": "[redacted]",
      },
      body: '{"result":"Zürich"}',
      bodyBytes: 20,
      isTruncated: false,
    });
    expect([responseBytes, httpStatus]).toEqual([20, 200]);
    expect(timings).toMatchObject({ dns: null, connect: expect.any(Number), tls: null, firstByte: expect.any(Number) });
    expect(durationMs).toBeGreaterThan(0);
    for (const ms of [durationMs, timings.connect, timings.firstByte]) expect(ms).toBe(Number(ms?.toFixed(2)));
  });

  it("is plain JSON", async () => {
    const handler = await startReplier({ body: { result: 1 } });
    const report = await (await createWorld()).attempt(handler.url);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it("keeps the first 64 KiB of a longer answer and cuts no character in two", async () => {
    const result = `${"x".repeat(65_536 - '{"result":"'.length - 2)}€uro${"y".repeat(50_000)}`;
    const handler = await startReplier({ body: { result } });
    const { answer, response } = await (await createWorld()).attempt(handler.url);
    expect(answer).toEqual({ result });
    const whole = JSON.stringify({ result });
    expect(response).toMatchObject({ isTruncated: true, bodyBytes: Buffer.byteLength(whole) });
    expect(response?.body).toBe(whole.slice(0, 65_534));
  });

  it("shows bytes that are no text as far as they can be read", async () => {
    const handler = await startReplier({ body: Buffer.from([0x7b, 0xff, 0x7d]) });
    const { response } = await (await createWorld()).attempt(handler.url);
    expect(response).toMatchObject({ body: "{\uFFFD}", bodyBytes: 3 });
  });

  it.each<[string, (secret: string) => string]>([
    ["as it is", (secret) => secret],
    ["with escaped slashes", (secret) => secret.replaceAll("/", "\\/")],
    ["with one character in hexadecimal", (secret) => secret.replace("w", "\\u0077")],
    ["all in hexadecimal", (secret) => secret.replace(/./g, hexadecimal)],
    [
      "all in capital hexadecimal",
      (secret) => secret.replace(/./g, (text) => hexadecimal(text).toUpperCase().replace("U", "u")),
    ],
  ])("never holds a signing secret that a handler echoes %s, and neither does the result", async (_name, write) => {
    const secret = `whsec_${Buffer.alloc(32, 0xff).toString("base64")}`;
    const world = await createWorld({ secrets: { default: [secret] } });
    const handler = await startHandler((response) =>
      send(response, { headers: { "x-debug": secret }, body: `{"result":{"env":"KEY=${write(secret)}"}}` }),
    );
    const report = await world.attempt(handler.url);
    expect(report.answer).toEqual({ result: { env: "KEY=[redacted]" } });
    expect(report.response?.headers["x-debug"]).toBe("[redacted]");
    expect(JSON.stringify(report)).not.toContain("/////");
  });

  it("never holds an echoed secret in the message of an error", async () => {
    const world = await createWorld();
    const handler = await startHandler((response) =>
      send(response, { body: { error: { code: "CONFIG", message: `bad key ${world.secret}` } } }),
    );
    expect(failureOf(await world.attempt(handler.url)).message).toBe("bad key [redacted]");
  });
});
