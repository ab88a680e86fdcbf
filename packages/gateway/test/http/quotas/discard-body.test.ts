import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { afterAll, expect, it } from "vitest";
import { discardBody } from "../../../src/http/quotas/discard-body.ts";

const server = createServer(async (request, response) => {
  const isRead = await discardBody(request, 10);
  response.setHeader("connection", "close").end(`read: ${isRead}`);
}).listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What is answered to a request of these lines and this body. */
async function answerTo(headers: readonly string[], body: string): Promise<string> {
  const address = server.address();
  const socket = connect(typeof address === "object" && address !== null ? address.port : 0, "127.0.0.1");
  socket.write(["POST / HTTP/1.1", "Host: a", ...headers, "", body].join("\r\n"));
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await once(socket, "close");
  return /read: \w+/.exec(text)?.[0] ?? "";
}

const CHUNKED = "Transfer-Encoding: chunked";
it.each<[string, readonly string[], string, string]>([
  ["no body", [], "", "read: true"],
  ["a body of the bound", ["Content-Length: 10"], "0123456789", "read: true"],
  // Nothing of it is sent: its length alone decides.
  ["a body over the bound", ["Content-Length: 11"], "", "read: false"],
  ["chunks up to the bound", [CHUNKED], "a\r\n0123456789\r\n0\r\n\r\n", "read: true"],
  ["chunks over the bound that do not end", [CHUNKED], "b\r\n0123456789a\r\n", "read: false"],
])("%s", async (_what, headers, body, expected) => {
  expect(await answerTo(headers, body)).toBe(expected);
});
