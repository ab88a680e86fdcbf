import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { readNodeBody } from "../src/node-http/read-node-body.ts";

it("the body of a client that left before it was read fails at once", async () => {
  const server = createServer();
  onTestFinished(() => {
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a server with a port");
  const client = connect(address.port, "127.0.0.1");
  client.write("POST / HTTP/1.1\r\nHost: tools.example\r\nContent-Length: 10\r\n\r\nabc");
  const [request] = (await once(server, "request")) as [IncomingMessage];
  client.destroy();
  await new Promise((resolve) => request.once("close", resolve));
  await expect(readNodeBody(request, 1_000)).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
});
