import { afterAll, describe, expect, it } from "vitest";
import { sendResult, startHostileServer } from "../../../../mcp/test/client/support/hostile-server.ts";
import { type HttpServer, sendJson, startHttpServer } from "../../../../mcp/test/client/support/http-server.ts";
import { startFirstServer, startSecondServer } from "../../../../mcp/test/client/support/sdk-servers.ts";
import { expectStatus, fieldsOf, problemOf } from "../support/agents.ts";
import { startMcpWorld } from "../support/mcp-world.ts";

const world = await startMcpWorld();
afterAll(() => world.stop());

const methods = ({ requests }: HttpServer) =>
  requests.map(({ method, body }) => (body === "" ? method : String(JSON.parse(body).method)));
const callsTo = (server: HttpServer) => methods(server).filter((method) => method === "tools/call").length;
const putSecret = async (name: string, hosts: readonly string[]) => {
  const body = { value: "lin_api_0123456789", hosts, auth: { type: "bearer" } };
  expectStatus(await world.call("putSecret", { params: { name }, body }), 200);
};
const text = (value: string) => ({ content: [{ type: "text", text: value }] });

describe.each<[string, boolean, () => Promise<HttpServer>]>([
  ["a server of the second SDK", true, () => startSecondServer()],
  ["a server of the second SDK without older revisions", true, () => startSecondServer("reject")],
  ["a server of the first SDK", false, () => startFirstServer()],
])("the tools of %s", (_what, isModern, startServer) => {
  it("are listed, accepted and called, and the server is asked for its revision once", async () => {
    const server = await startServer();
    const source = await world.makeMcpSource(server);
    expect(source).toMatchObject({ kind: "mcp", url: server.url, auth: null, status: "ready", skippedTools: [] });
    expect(source.tools?.map(({ name, isOffered }) => [name, isOffered])).toEqual(
      ["echo", "fail", "image", "structured"].map((name) => [name, true]),
    );
    expect(await world.callTool(source, "echo", { text: "hello" })).toMatchObject({
      ...{ name: `${source.name}.echo`, kind: "network", status: "completed", result: "echo: hello" },
      isUntrusted: true,
    });
    const countProbes = () => methods(server).filter((method) => method === "server/discover").length;
    expect(countProbes()).toBe(1);
    expect(methods(server).includes("initialize")).toBe(!isModern);
    const tested = await world.call("testToolSource", { params: { id: source.id } });
    expect(expectStatus(tested, 200)).toMatchObject({
      ...{
        status: "ready",
        reason: null,
        revision: isModern ? "2026-07-28" : "2025-11-25 or earlier",
        skippedTools: [],
      },
      changes: { added: [], changed: [], removed: [], held: [] },
    });
    // A test does not rely on the stored verdict.
    expect(countProbes()).toBe(2);
  });

  it("return structured content, files and errors", async () => {
    const source = await world.makeMcpSource(await startServer());
    expect(await world.callTool(source, "structured")).toMatchObject({ result: { celsius: 21 } });
    expect(await world.callTool(source, "image")).toMatchObject({
      result: {
        content: "a dot\nthe file",
        links: [{ uri: "https://example.com/a", name: "a" }],
        attachments: [
          { mediaType: "image/png", bytes: 2, data: "aGk=" },
          { mediaType: "application/zip", uri: "file:///a.bin", bytes: 2, data: "aGk=" },
        ],
      },
    });
    expect(await world.callTool(source, "fail")).toMatchObject({
      status: "failed",
      error: { code: "HANDLER_ERROR", message: "the tool reported an error", details: "out of order", outcome: "none" },
    });
  });
});

describe("the record of a call", () => {
  it("contains the call, its result and the revision's messages, without the credential", async () => {
    await putSecret("LINEAR_KEY", ["127.0.0.1"]);
    const server = await startHostileServer({
      list: (response, { id }) =>
        sendResult(response, id, { tools: [{ name: "whoami", inputSchema: { type: "object" } }] }),
      call: (response, { id }) => sendResult(response, id, text("you are lin_api_0123456789")),
    });
    const source = await world.makeMcpSource(server, { auth: { credential: "LINEAR_KEY" } });
    const record = await world.callTool(source, "whoami", { team: "core" });
    expect(record).toMatchObject({ result: "you are [redacted:LINEAR_KEY]" });
    const [attempt] = record.attempts;
    expect(attempt).toMatchObject({ method: "POST", url: server.url, credential: "LINEAR_KEY", httpStatus: 200 });
    const messages = await world.call("getAttempt", { params: { id: attempt?.id ?? "" } });
    expect(expectStatus(messages, 200)).toMatchObject({
      request: { body: expect.stringContaining('"arguments":{"team":"core"}') },
      response: { body: '"you are [redacted:LINEAR_KEY]"' },
    });
    expect(JSON.stringify([record, messages.body])).not.toContain("lin_api");
    expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set(["Bearer lin_api_0123456789"]),
    );
  });
});

describe("a source of an MCP server", () => {
  const base = { name: "linear", kind: "mcp", url: "https://mcp.example.com/mcp" };

  it.each<[string, object, string]>([
    ["onChange accept", { onChange: "accept" }, "onChange"],
    ["a signing secret", { signingSecret: "default" }, "signingSecret"],
    ["an option for handlers", { defaults: { requireSignedAnswer: true } }, "defaults.requireSignedAnswer"],
    ["a secret that does not exist", { auth: { credential: "NOWHERE" } }, "auth.credential"],
    ["a URL in a private network", { url: "https://192.168.0.1/mcp" }, "url"],
  ])("is refused with %s", async (_what, rest, path) => {
    const answer = await world.call("createToolSource", { body: { ...base, ...rest } });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer).map((field) => field.split(":")[0])).toEqual([path]);
  });

  it("is refused with a secret for another host", async () => {
    await putSecret("OTHER_KEY", ["api.example.com"]);
    const answer = await world.call("createToolSource", { body: { ...base, auth: { credential: "OTHER_KEY" } } });
    expect(problemOf(answer).errors).toMatchObject([{ path: "auth.credential", code: "CREDENTIAL_HOST" }]);
  });

  it("holds all tools when its credential changes", async () => {
    await putSecret("NEW_KEY", ["127.0.0.1"]);
    const source = await world.makeMcpSource(await startSecondServer());
    const body = { auth: { credential: "NEW_KEY" } };
    const changed = await world.call("updateToolSource", { params: { id: source.id }, body });
    expect(expectStatus(changed, 200)).toMatchObject({ status: "changed", toolCounts: { accepted: 0, held: 4 } });
  });

  it("cannot get a setting of another kind", async () => {
    const source = await world.makeMcpSource(await startSecondServer());
    const body = { signingSecret: "default" };
    const answer = await world.call("updateToolSource", { params: { id: source.id }, body });
    expect([answer.status, fieldsOf(answer).map((field) => field.split(":")[0])]).toEqual([422, ["signingSecret"]]);
  });

  it("shows what a server claims about a tool, and takes only what makes the tool stricter", async () => {
    const inputSchema = { type: "object" };
    const tools = [
      { name: "read", inputSchema, annotations: { readOnlyHint: true } },
      { name: "wipe", inputSchema, annotations: { destructiveHint: true } },
    ];
    const server = await startHostileServer({ list: (response, { id }) => sendResult(response, id, { tools }) });
    const source = await world.makeMcpSource(server, { accept: "none" });
    expect(await world.changes(source.id)).toMatchObject([
      { name: "read", hints: { annotations: { readOnlyHint: true }, proposedSideEffect: "read_only" } },
      { name: "wipe", hints: { proposedSideEffect: "destructive" }, after: { sideEffect: "destructive" } },
    ]);
    expect(source.tools?.map(({ sideEffect }) => sideEffect)).toEqual([null, "destructive"]);
  });

  it("skips a tool that cannot be used, and says why", async () => {
    const inputSchema = { type: "object" };
    const tools = [
      { name: "good", inputSchema },
      { name: "hidden", description: "Runs.\u{e0077}\u{e0069}", inputSchema },
      { name: "a b", inputSchema },
    ];
    const server = await startHostileServer({ list: (response, { id }) => sendResult(response, id, { tools }) });
    const source = await world.makeMcpSource(server);
    expect(source.tools?.map(({ name }) => name)).toEqual(["good"]);
    expect(source.skippedTools).toEqual([
      { name: "a b", reason: "expected a name of visible ASCII characters" },
      { name: "hidden", reason: "description: expected no invisible characters" },
    ]);
  });

  it("needs the network in the agent's policy", async () => {
    const server = await startSecondServer();
    const source = await world.makeMcpSource(server);
    expect(await world.callTool(source, "echo", {}, { policy: {} })).toMatchObject({
      status: "denied",
      error: { code: "POLICY_DENIED" },
    });
    expect(callsTo(server)).toBe(0);
  });

  it("that rejects the credential is unauthorized", async () => {
    const server = await startHttpServer((_, response) => sendJson(response, {}, 401));
    expect(await world.makeMcpSource(server)).toMatchObject({
      status: "unauthorized",
      reason: { code: "SOURCE_UNAUTHORIZED" },
    });
  });
});
