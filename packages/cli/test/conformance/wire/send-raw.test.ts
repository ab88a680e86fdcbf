import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { MAX_ANSWER_BYTES } from "../../../src/conformance/wire/exchange.ts";
import { sendRaw } from "../../../src/conformance/wire/send-raw.ts";

const TIMEOUT_MS = 3_000;

/** A server that answers with these bytes and leaves the connection open. */
async function answering(bytes: Buffer): Promise<URL> {
  const server = createServer((socket) => {
    onTestFinished(() => {
      socket.destroy();
    });
    socket.on("error", () => {}).once("data", () => socket.write(bytes));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  return new URL(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`);
}

it("an answer that goes on and on is read up to its bound, without waiting for its end", async () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n";
  const target = await answering(Buffer.concat([Buffer.from(head), Buffer.alloc(3 * MAX_ANSWER_BYTES, "x")]));
  const exchange = await sendRaw(target, "GET / HTTP/1.1\r\n\r\n", TIMEOUT_MS);
  if (exchange.kind !== "answer") throw new Error(exchange.kind);
  expect(exchange.body.byteLength).toBe(MAX_ANSWER_BYTES - head.length);
  expect(exchange.tookMs).toBeLessThan(TIMEOUT_MS);
});

it("a head that goes on and on is no answer", async () => {
  const target = await answering(Buffer.from(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(2 * MAX_ANSWER_BYTES)}`));
  const exchange = await sendRaw(target, "GET / HTTP/1.1\r\n\r\n", TIMEOUT_MS);
  expect(exchange).toEqual({ kind: "silent", tookMs: expect.any(Number) });
  expect(exchange.tookMs).toBeLessThan(TIMEOUT_MS);
});
