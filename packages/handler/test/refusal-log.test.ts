import { createHash } from "node:crypto";
import { generateSigningSecret, sign } from "@yagate/protocol";
import { expect, it, onTestFinished, vi } from "vitest";
import { createHandler } from "../src/index.ts";
import { callTool, type SignedCallOptions, signedCallParts } from "../src/testing.ts";
import { NOW_MS, OTHER_SECRET, SECRET } from "./support/calls.ts";
import { createRecordingLogger } from "./support/recording-logger.ts";
import { call, toolThat } from "./support/tools.ts";

const fingerprint = (secret: string) => createHash("sha256").update(secret).digest("hex").slice(0, 8);
const [ours, next] = [generateSigningSecret(), OTHER_SECRET];
const echo = toolThat((parameters) => parameters);
const ping = { ...echo, name: "ping" };

interface Sent extends Partial<SignedCallOptions> {
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

async function lineOf({ body, headers, ...changed }: Sent, tools = [echo, ping]) {
  const logger = createRecordingLogger();
  const secrets = [next, ours];
  const handler = createHandler({ secrets, tools, logger, isDevelopment: false, now: () => NOW_MS });
  const parts = await signedCallParts(call({ toolCallId: "tc_1", timestampMs: NOW_MS, ...changed }));
  const response = await handler(
    new Request(parts.url, { method: "POST", headers: { ...parts.headers, ...headers }, body: body ?? parts.body }),
  );
  expect(logger.lines).toHaveLength(1);
  const log = JSON.stringify(logger.lines);
  for (const secret of [...secrets, SECRET]) expect(log).not.toContain(secret.slice(6, 30));
  return { ...logger.lines[0], text: await response.text() };
}

it("names the call and a fingerprint of each secret that was tried", async () => {
  const { fields, level, message, text } = await lineOf({ secret: SECRET });
  expect({ level, message, fields }).toEqual({
    level: "warn",
    message: "call rejected",
    fields: {
      code: "SIGNATURE_MISMATCH",
      tool: "lookup_order",
      toolCallId: "tc_1",
      secretsTried: [fingerprint(next), fingerprint(ours)],
    },
  });
  // A stranger learns nothing of it.
  expect(JSON.parse(text)).toEqual({ error: { code: "SIGNATURE_MISMATCH", message: "SIGNATURE_MISMATCH" } });
});

it.each<[string, Sent, object]>([
  ["too old", { secret: ours, timestampMs: NOW_MS - 400_000 }, { code: "TIMESTAMP_TOO_OLD", tool: "lookup_order" }],
  [
    "signed, and no call",
    { secret: ours, fields: { attempt: "1" } },
    { code: "PAYLOAD_INVALID", tool: "lookup_order" },
  ],
  ["without a signature", { secret: ours, headers: { "x-ya-signature": "" } }, { code: "SIGNATURE_MISSING" }],
  [
    "compressed, and so never read",
    { secret: ours, headers: { "content-encoding": "gzip" } },
    { code: "PAYLOAD_INVALID" },
  ],
])("names a call that is %s", async (_name, sent, fields) => {
  const line = await lineOf(sent);
  expect(line.fields).toMatchObject({ ...fields, toolCallId: "tc_1" });
  expect(line.fields).not.toHaveProperty("secretsTried");
});

it("names the only tool of a handler where the body does not", async () => {
  const { fields } = await lineOf({ secret: SECRET, body: "no JSON" }, [ping]);
  expect(fields).toMatchObject({ tool: "ping", toolCallId: "tc_1" });
});

it("writes nothing of a stranger's that has not the form of a name or an id", async () => {
  const body = JSON.stringify({ toolCallId: "tc_1\nforged line", name: "ping\u202e", more: "x" });
  const signature = await sign(new TextEncoder().encode(body), [SECRET]);
  const { fields } = await lineOf({ secret: SECRET, body, headers: { "x-ya-signature": signature } });
  expect(Object.keys(fields ?? {})).toEqual(["code", "secretsTried"]);
});

it("does not parse a large body of a stranger for it", async () => {
  const { fields } = await lineOf({ secret: SECRET, parameters: { text: "x".repeat(70_000) } });
  expect(fields).toMatchObject({ code: "SIGNATURE_MISMATCH", toolCallId: "tc_1" });
  expect(fields).not.toHaveProperty("tool");
});

it("is on the console after [yagate] if the application passes no logger, and information is nowhere", async () => {
  const quiet = () => undefined;
  const spies = (["warn", "error", "info", "log", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(quiet),
  );
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  const chatty = toolThat((_parameters, { logger }) => {
    logger.debug("looked up");
    logger.info("found");
    logger.error("lost");
    return "done";
  });
  const handler = createHandler({ secrets: SECRET, tools: [chatty], isDevelopment: false });
  expect(await callTool(handler, call())).toMatchObject({ status: 200, result: "done" });
  expect(await callTool(handler, call({ secret: OTHER_SECRET }))).toMatchObject({ status: 401 });
  const [warn, error, ...others] = spies.map((spy) => spy.mock.calls);
  expect(warn?.map(([message]) => message)).toEqual(["[yagate] call rejected"]);
  expect(error?.map(([message]) => message)).toEqual(["[yagate] lost"]);
  expect(others.flat()).toEqual([]);
});
