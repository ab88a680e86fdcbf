import { once } from "node:events";
import { connect } from "node:net";
import express, { type RequestHandler } from "express";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { toExpress, toolHandler } from "../../src/express.ts";
import { callTool, describeTools, signedCall, signedCallParts } from "../../src/testing.ts";
import { SECRET } from "../support/calls.ts";
import { outcomeOf } from "../support/outcome.ts";
import { call, handlerOf, typedTool } from "../support/tools.ts";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(app: express.Express): Promise<number> {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  return address.port;
}

/** Calls through the network what `callTool` calls as a function. */
function overNetwork(port: number, path: string) {
  return async (request: Request): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: request.headers,
      body: await request.arrayBuffer(),
    });
}

it("a handler that is mounted without its adapter says so, instead of leaving requests without an answer", async () => {
  const { handler } = handlerOf(typedTool);
  const misplaced: unknown = handler;
  const port = await serve(express().post("/tools", misplaced as RequestHandler));
  const response = await overNetwork(port, "/tools")(await signedCall(call()));
  expect(response.status).toBe(422);
  expect(await response.text()).toContain("expected a Fetch Request: mount toExpress(handler)");
});

describe("a body that was consumed before the handler", () => {
  it.each<[string, RequestHandler]>([
    ["parsed by express.json()", express.json()],
    ["turned into text by express.text()", express.text({ type: () => true })],
    [
      "read to its end by something else",
      (request, _response, next) => {
        request.resume().on("end", next);
      },
    ],
    [
      "decoded to text, by setEncoding",
      (request, _response, next) => {
        request.setEncoding("utf8");
        next();
      },
    ],
  ])("is refused with an explanation: %s", async (_name, middleware) => {
    const { handler, logger } = handlerOf(typedTool);
    const app = express().use(middleware).post("/tools", toExpress(handler));
    const { status, isSigned, error } = await callTool(overNetwork(await serve(app), "/tools"), call());
    expect({ status, isSigned, code: error?.code }).toEqual({
      status: 500,
      isSigned: false,
      code: "BODY_ALREADY_PARSED",
    });
    expect(logger.lines).toMatchObject([{ level: "warn", fields: { code: "BODY_ALREADY_PARSED" } }]);
  });

  it("names what to do about it", async () => {
    const { handler } = handlerOf(typedTool);
    const app = express().use(express.json()).post("/tools", toExpress(handler));
    const { error } = await callTool(overNetwork(await serve(app), "/tools"), call());
    expect(error?.message).toContain("mount the handler before app.use(express.json())");
  });
});

describe("one tool at its own path", () => {
  it("is called there, with typed parameters, beside others", async () => {
    const app = express();
    app.post("/tools/lookup-order", toolHandler({ secrets: SECRET, ...typedTool }));
    app.post(
      "/tools/double",
      toolHandler({
        secrets: [SECRET],
        name: "double",
        description: "Doubles a number.",
        parameters: z.object({ value: z.number() }),
        execute: ({ value }) => value * 2,
      }),
    );
    const port = await serve(app);
    expect(
      (await callTool(overNetwork(port, "/tools/double"), call({ name: "double", parameters: { value: 21 } }))).result,
    ).toBe(42);
    expect((await callTool(overNetwork(port, "/tools/lookup-order"), call())).result).toEqual({
      orderId: "ORD-12345",
      limit: 10,
    });
    expect((await callTool(overNetwork(port, "/tools/double"), call())).error?.code).toBe("UNKNOWN_TOOL");
    for (const [path, name] of [
      ["/tools/double", "double"],
      ["/tools/lookup-order", "lookup_order"],
    ] as const) {
      expect((await describeTools(overNetwork(port, path), { secret: SECRET })).tools).toMatchObject([{ name }]);
    }
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["without a secret", { secrets: undefined }, "SECRET_INVALID"],
    ["with a misspelt option", { audiance: "https://orders.example.com" }, "INVALID_REQUEST"],
    ["with a name that is none", { name: "Lookup Order" }, "INVALID_REQUEST"],
  ])("is not made %s", async (_name, changed, code) => {
    expect(await outcomeOf(() => toolHandler({ secrets: SECRET, ...typedTool, ...changed }))).toBe(code);
  });
});

it("a body far past the limit ends the connection", async () => {
  const { handler } = handlerOf(typedTool, { maxBodyBytes: 1_000 });
  const port = await serve(express().post("/tools", toExpress(handler)));
  const socket = connect(port, "127.0.0.1");
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.on("error", () => {});
  socket.write("POST /tools HTTP/1.1\r\nhost: h\r\ncontent-length: 100000\r\n\r\n");
  socket.write(Buffer.alloc(50_000));
  await closed;
  expect((await callTool(overNetwork(port, "/tools"), call())).status).toBe(200);
});

it("a body whose announced length is past the limit is refused before it comes", async () => {
  const { handler } = handlerOf(typedTool, { maxBodyBytes: 1_000 });
  const port = await serve(express().post("/tools", toExpress(handler)));
  const socket = connect(port, "127.0.0.1");
  socket.write("POST /tools HTTP/1.1\r\nhost: h\r\ncontent-length: 1001\r\n\r\n");
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
  socket.destroy();
});

it("many calls on one connection are answered in turn", async () => {
  const { handler } = handlerOf(typedTool);
  const port = await serve(express().post("/tools", toExpress(handler)));
  const socket = connect(port, "127.0.0.1");
  for (const _ of [1, 2, 3]) {
    const { headers, body } = await signedCallParts(call());
    const lines = Object.entries({ host: "h", ...headers, "content-length": body.byteLength }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(`POST /tools HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    socket.write(body);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
    expect(String(answer)).toContain('"result":{"orderId":"ORD-12345"');
  }
  socket.destroy();
});
