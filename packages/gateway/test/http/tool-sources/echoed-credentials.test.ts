import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { discovered, sendResult } from "../../../../mcp/test/client/support/hostile-server.ts";
import { type HttpServer, sendJson, startHttpServer } from "../../../../mcp/test/client/support/http-server.ts";
import { expectStatus, problemOf } from "../support/agents.ts";
import { documentOf, operation, startDocumentServer } from "../support/document-server.ts";
import { startMcpWorld } from "../support/mcp-world.ts";
import { textOfData } from "../support/text-of-data.ts";

const SECRET = "lin_api_0123456789abcdef";
const MARK = "[redacted:ECHOED_KEY]";

const world = await startMcpWorld();
afterAll(() => world.stop());
beforeAll(async () => {
  const body = { value: SECRET, hosts: ["127.0.0.1"], auth: { type: "bearer" } };
  expectStatus(await world.call("putSecret", { params: { name: "ECHOED_KEY" }, body }), 200);
});
const auth = { credential: "ECHOED_KEY" };

// The text of all files is too long for the message of a failed expectation.
const isStored = async (text: string) => (await textOfData(world)).includes(text);

/** The credential as a server received it, without the scheme. */
const received = (authorization: string | undefined) => authorization?.replace("Bearer ", "") ?? "";

type Respond = (response: ServerResponse, request: { readonly id: unknown; readonly secret: string }) => unknown;

/** A server that puts the credential of each request into its answers. */
function startEchoing({ list, call }: { readonly list: Respond; readonly call?: Respond }): Promise<HttpServer> {
  return startHttpServer(({ headers: { authorization }, body }, response) => {
    const { id, method } = JSON.parse(body);
    const secret = received(authorization);
    if (method === "tools/list") return list(response, { id, secret });
    if (method === "tools/call" && call !== undefined) return call(response, { id, secret });
    const serverInfo = { name: `server of ${secret}`, version: secret };
    return sendJson(response, { jsonrpc: "2.0", id, result: { ...discovered, serverInfo } });
  });
}

function echoed(secret: string): object {
  const inputSchema = {
    type: "object",
    properties: { [secret]: { type: "string", description: `Not ${secret}.`, default: secret } },
  };
  return {
    ...{ name: "lookup", description: `Send ${secret}.`, inputSchema },
    ...{ outputSchema: { type: "object", title: secret }, annotations: { title: secret } },
  };
}

describe("a server that returns the credential of its source", () => {
  it("in its definitions: it is removed before they are stored or shown", async () => {
    const server = await startEchoing({
      list: (response, { id, secret }) => sendResult(response, id, { tools: [echoed(secret)] }),
      call: (response, { id }) => sendResult(response, id, { content: [{ type: "text", text: "ran" }] }),
    });
    const source = await world.makeMcpSource(server, { auth, accept: "none" });
    const changes = await world.changes(source.id);
    expect(changes).toMatchObject([{ after: { description: `Send ${MARK}.` } }]);
    expect(JSON.stringify([source, changes])).not.toContain(SECRET);
    await world.accept(source.id);
    expect(await world.callTool(source, "lookup")).toMatchObject({ result: "ran" });
    expect(await world.sync(source.id)).toMatchObject({ status: "ready" });
    expect(await isStored(SECRET)).toBe(false);
  });

  it("in the name of a tool: the tool is left out, because its name cannot be sent back", async () => {
    const inputSchema = { type: "object" };
    const server = await startEchoing({
      list(response, { id, secret }) {
        const names = [`get_${secret}`, `${"x".repeat(90)}${secret}${"x".repeat(200)}`, "good"];
        return sendResult(response, id, { tools: names.map((name) => ({ name, inputSchema })) });
      },
    });
    const source = await world.makeMcpSource(server, { auth });
    expect(source.tools?.map(({ name }) => name)).toEqual(["good"]);
    expect(source.skippedTools).toMatchObject([
      { name: `get_${MARK}`, reason: expect.stringContaining("credential") },
      { name: expect.stringMatching(/^x{90}\[/), reason: expect.any(String) },
    ]);
    expect(await isStored(SECRET.slice(0, 9))).toBe(false);
  });

  it("in its errors: neither the source nor the call repeats them", async () => {
    let isBroken = false;
    const fail: Respond = (response, { id, secret }) =>
      sendJson(response, { jsonrpc: "2.0", id, error: { code: -32_603, message: `no ${secret}`, data: secret } });
    const server = await startEchoing({
      list: (response, request) =>
        isBroken
          ? fail(response, request)
          : sendResult(response, request.id, { tools: [{ name: "lookup", inputSchema: { type: "object" } }] }),
      call: fail,
    });
    const source = await world.makeMcpSource(server, { auth });
    const call = await world.callTool(source, "lookup");
    expect(call).toMatchObject({ error: { code: "HANDLER_ERROR" } });
    isBroken = true;
    const answer = await world.call("syncToolSource", { params: { id: source.id } });
    expect(problemOf(answer)).toMatchObject({ code: "SOURCE_UNREACHABLE" });
    const shown = [call, answer.body, await world.readSource(source.id)];
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(await isStored(SECRET)).toBe(false);
  });
});

describe("an OpenAPI document that contains the credential with which it was read", () => {
  it("is stored and shown without it", async () => {
    const server = await startDocumentServer("");
    server.answer = ({ headers: { authorization } }, response) => {
      const secret = received(authorization);
      const get = operation("listOrders", { summary: `Lists the orders of ${secret}.` });
      const paths = { "/orders": { get }, "/bad": { get: { parameters: [{ $ref: `#/components/${secret}` }] } } };
      response.end(JSON.stringify(documentOf(paths, { info: { title: `Shop of ${secret}`, version: "1" } })));
    };
    const source = await world.makeSource(server, { kind: "openapi", accept: "all", auth });
    expect(source).toMatchObject({
      ...{ document: { title: `Shop of ${MARK}` }, tools: [{ name: "list_orders" }] },
      skippedTools: [{ reason: expect.stringContaining(MARK) }],
    });
    const answer = await world.call("testToolSource", { params: { id: source.id } });
    expect(expectStatus(answer, 200)).toMatchObject({ status: "ready" });
    expect(JSON.stringify([source, answer.body])).not.toContain(SECRET);
    expect(await isStored(SECRET)).toBe(false);
  });
});
