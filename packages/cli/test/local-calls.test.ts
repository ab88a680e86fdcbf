import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { createHandler, defineTool } from "@yagate/handler";
import { toNodeListener } from "@yagate/handler/node";
import { generateSigningSecret } from "@yagate/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { freePort } from "../../../test/services/free-port.ts";
import { listenOnLoopback } from "../../../test/services/listen-on-loopback.ts";
import { startCommand } from "./support/command.ts";
import { runCheck } from "./support/run-check.ts";

const secret = generateSigningSecret();
const env = { YAGATE_SIGNING_SECRET: secret };
const trigger = (url: string, ...options: string[]) =>
  runCheck(["trigger", "lookup_order", "--to", url, ...options], { env });

/** Starts `yagate listen` on a free port. */
async function startListener(...options: string[]) {
  const command = startCommand(["listen", "--port", "0", ...options], { env });
  const [, url = ""] = await command.until(/Listens on (http:[\d.:/]+\d)[.,]/);
  return { ...command, url };
}

async function startHandler() {
  const runs: unknown[] = [];
  const lookupOrder = defineTool({
    ...{ name: "lookup_order", description: "Look up an order.", parameters: z.object({ orderId: z.string() }) },
    execute({ orderId }) {
      runs.push(orderId);
      return { orderId, status: "shipped" };
    },
  });
  const server = createServer(toNodeListener(createHandler({ secrets: [secret], tools: [lookupOrder] })));
  onTestFinished(() => void server.close());
  return { url: `${await listenOnLoopback(server)}/tools`, runs };
}

describe("yagate trigger", () => {
  it("sends a call that a handler accepts, and says whether the response is signed", async () => {
    const { url, runs } = await startHandler();
    const sent = await trigger(url, "--param", "orderId=ORD-1");
    expect(sent).toMatchObject({ status: 0, stderr: "" });
    expect(sent.stdout).toMatch(/^tc_\w+, attempt 1: HTTP 200, \d+ ms; the response is signed\n\{"result":/);
    expect(runs).toEqual(["ORD-1"]);
  });

  it("sends one call several times, which a handler runs once", async () => {
    const { url, runs } = await startHandler();
    const sent = await trigger(url, "--body", '{"orderId":"ORD-1"}', "--times", "3", "--json");
    const lines = sent.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(3);
    expect(new Set(lines.map(({ toolCallId }) => toolCallId)).size).toBe(1);
    expect(lines).toMatchObject(Array(3).fill({ status: 200, signature: "valid", attempt: 1 }));
    expect(runs).toEqual(["ORD-1"]);
  });

  it.each<[string, readonly string[], string]>([
    ["changed after its signature", ["--tamper"], "SIGNATURE_MISMATCH"],
    ["ten minutes old", ["--age", "10m"], "TIMESTAMP_TOO_OLD"],
  ])("with a call that is %s is rejected, with status 1", async (_what, options, code) => {
    const { url, runs } = await startHandler();
    const sent = await trigger(url, "--param", "orderId=ORD-1", "--json", ...options);
    expect(sent.status).toBe(1);
    expect(JSON.parse(sent.stdout)).toMatchObject({ status: 401, body: expect.stringContaining(code) });
    expect(runs).toEqual([]);
  });

  it.each<[string, readonly string[], RegExp]>([
    ["another machine", ["--to", "https://orders.example.com/tools"], /is not this machine\n[\s\S]*--allow-remote/],
    ["no URL", ["--to", "orders"], /expected --to <url>/],
    [
      "a parameter without a value",
      ["--to", "http://localhost:1", "--param", "orderId"],
      /expected --param name=value/,
    ],
    [
      "arguments that are a list",
      ["--to", "http://localhost:1", "--body", "[]"],
      /expected --body to be a JSON object/,
    ],
    ["a name that no tool has", ["--to", "http://localhost:1", "--times", "0"], /--times to be a whole number from 1/],
  ])("refuses %s before it sends anything", async (_what, options, message) => {
    const refused = await runCheck(["trigger", "lookup_order", ...options], { env });
    expect(refused).toMatchObject({ status: expect.any(Number), stdout: "", stderr: expect.stringMatching(message) });
    expect(refused.status).not.toBe(0);
  });
});

it("yagate trigger says that nothing listens at the URL", async () => {
  const refused = await trigger(`http://localhost:${await freePort()}/tools`);
  expect(refused).toMatchObject({
    ...{ status: 3, stdout: "" },
    stderr: expect.stringMatching(/CONNECTION_FAILED {2}http:\/\/localhost:\d+ refused the connection\n/),
  });
});

describe("yagate listen", () => {
  it("goes on when a sender disconnects in the middle of a body", async () => {
    const listener = await startListener();
    const socket = connect(Number(new URL(listener.url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\nabc");
    // The server responds with "100 Continue" when it has the headers and waits for the body.
    await once(socket, "data");
    socket.destroy();
    await listener.until(/A request got no response: aborted/);
    const sent = await trigger(listener.url, "--param", "orderId=ORD-1");
    expect(sent).toMatchObject({ status: 0, stderr: "" });
  });

  it("verifies, prints and answers calls, and fails one of three on purpose", async () => {
    const listener = await startListener("--respond", '{"status":"shipped"}', "--fail", "1/3", "--json");
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      const sent = await trigger(listener.url, "--param", "orderId=ORD-1", "--json");
      const { status, signature } = JSON.parse(sent.stdout);
      expect(signature).toBe("valid");
      statuses.push(status);
    }
    expect(statuses).toEqual([503, 200, 200, 503]);
    await listener.until(/(?:.*"isAccepted":true.*\n){4}/);
    const [, line = "{}"] = /^(\{.*"status":200.*)$/m.exec(listener.output()) ?? [];
    expect(JSON.parse(line)).toMatchObject({
      ...{ isAccepted: true, name: "lookup_order", attempt: 1, status: 200 },
      request: expect.stringContaining('"parameters":{"orderId":"ORD-1"}'),
      response: '{"result":{"status":"shipped"}}',
    });
  });

  it("explains why a call is rejected, and stops on SIGINT with 130", async () => {
    const listener = await startListener();
    const sent = await trigger(listener.url, "--age", "10m");
    expect(sent).toMatchObject({ status: 1 });
    await listener.until(
      /✕ lookup_order tc_\w+, attempt 1 → 401 \d+ ms TIMESTAMP_TOO_OLD[^\n]*\n {2}cause: [^\n]+\n {2}Try: /,
    );
    await listener.until(/\n {2}request {3}\{"toolCallId":[^\n]*\n {2}response {2}\{"error":/);
    expect(listener.output()).not.toContain("\u001b");
    expect(listener.output()).not.toContain(secret);
    expect(await listener.stop("SIGINT")).toBe(130);
  });

  it("forwards a call with its signature and its bytes, and returns the handler's signed response", async () => {
    const handler = await startHandler();
    const listener = await startListener("--forward-to", handler.url);
    // The handler does not compare the audience, which is the listener.
    const sent = await trigger(listener.url, "--param", "orderId=ORD-1", "--json");
    expect(JSON.parse(sent.stdout)).toMatchObject({ status: 200, signature: "valid" });
    expect(handler.runs).toEqual(["ORD-1"]);
    await listener.until(new RegExp(`forwarded to ${handler.url}`));
  });

  it("responds with 413 to a body that is too large, and with 401 without a signature", async () => {
    const { url } = await startListener();
    const post = async (body: string) => (await fetch(url, { method: "POST", body })).status;
    expect(await post("{}")).toBe(401);
    expect(await post("x".repeat(1_048_577))).toBe(413);
  });

  it.each<[string, readonly string[], RegExp]>([
    ["an invalid pattern", ["--fail", "3/2"], /expected --fail to be n\/m/],
    ["a response that is no JSON", ["--respond", "{shipped}"], /expected --respond to be JSON/],
    ["another machine", ["--forward-to", "https://orders.example.com"], /is not this machine/],
    ["two ways to respond", ["--forward-to", "http://localhost:1", "--respond", "{}"], /but got both/],
  ])("refuses %s", async (_what, options, message) => {
    const refused = await runCheck(["listen", ...options], { env });
    expect(refused).toMatchObject({ stdout: "", stderr: expect.stringMatching(message) });
    expect(refused.status).not.toBe(0);
  });
});
