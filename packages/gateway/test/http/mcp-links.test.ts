import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { expectStatus, makeAgent } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld, type World } from "./support/world.ts";

const REVISION = "2026-07-28";
const TASKS = "io.modelcontextprotocol/tasks";
const UNKNOWN = "exec_01m7yj864ke00brb1mkxjenfhm";

const world = await startWorld({ console: "on", allowSelfApproval: true });
const plain = await startWorld({ console: "off", allowSelfApproval: true });
afterAll(() => Promise.all([world.stop(), plain.stop()]));

let made = 0;
/** An exposed agent whose only tool waits for an approval, and the handler of the tool. */
async function makeDesk(place: World) {
  made += 1;
  const handler = await startHandler();
  const tools = [workTool(handler.url, { sideEffect: "destructive" })];
  await makeAgent(place, { name: `Refunds ${made}`, model: "scripted/keyword", exposed: true, tools });
  return { handler, name: `refunds_${made}`, arguments: { input: "Do the work" } };
}

const inputRequiredSchema = z.object({
  resultType: z.literal("input_required"),
  requestState: z.string(),
  inputRequests: z.record(
    z.string(),
    z.object({
      method: z.literal("elicitation/create"),
      params: z.object({ mode: z.literal("url"), message: z.string(), url: z.url() }),
    }),
  ),
});

/** Sends a `tools/call` by hand. */
async function send(place: World, params: object, { key = place.key, capabilities = LINKS }: Sent = {}) {
  const name = "name" in params ? String(params.name) : "";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "host", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const response = await fetch(`${place.url}/mcp`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${key}`, accept: "application/json, text/event-stream" },
      ...{ "content-type": "application/json", "mcp-protocol-version": REVISION },
      ...{ "mcp-method": "tools/call", "mcp-name": name },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, _meta } }),
  });
  return z.looseObject({ result: z.unknown() }).parse(await response.json()).result;
}

interface Sent {
  readonly key?: string;
  readonly capabilities?: object;
}

const LINKS = { elicitation: { url: {} } };

/** Starts a call that an approval holds up. */
async function startWaiting() {
  const { handler, ...call } = await makeDesk(world);
  const asked = inputRequiredSchema.parse(await send(world, call));
  const [approvalId = ""] = Object.keys(asked.inputRequests);
  const resumed = { ...call, requestState: asked.requestState, inputResponses: { [approvalId]: { action: "accept" } } };
  return { handler, call, asked, approvalId, resumed };
}

const executionsOf = async () => {
  const body = expectStatus(await world.call("listExecutions", { query: { limit: "100" } }), 200);
  return z.object({ data: z.array(z.unknown()) }).parse(body).data.length;
};

const COMPLETED = { _meta: { "yagate/executionStatus": "completed" } };

describe("a host that can show links", () => {
  it("shows the approval's page to a person, and gets the result of the same execution afterwards", async () => {
    const { handler, ...call } = await makeDesk(world);
    const host = new Client(
      { name: "host", version: "1" },
      { capabilities: LINKS, versionNegotiation: { mode: { pin: REVISION } } },
    );
    onTestFinished(() => host.close());
    const shown: string[] = [];
    host.setRequestHandler("elicitation/create", async ({ params }) => {
      const url = new URL("url" in params ? String(params.url) : "");
      shown.push(`${url.origin}${url.pathname}`);
      // What a person does on that page.
      const id = url.searchParams.get("open") ?? "";
      expectStatus(await world.call("approve", { params: { id }, body: {} }), 200);
      return { action: "accept" };
    });
    const requestInit = { headers: { authorization: `Bearer ${world.key}` } };
    await host.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit }));
    const result: CallToolResult = await host.callTool(call);
    expect(result).toMatchObject(COMPLETED);
    expect(shown).toEqual([`${world.url}/console/approvals`]);
    expect(handler.calls).toHaveLength(1);
  });

  it("gets a link that names the tool but none of its arguments", async () => {
    const { asked, approvalId } = await startWaiting();
    expect(asked.inputRequests).toEqual({
      [approvalId]: {
        method: "elicitation/create",
        params: {
          mode: "url",
          message: "An approver has to decide about the call of work in the Yagate console.",
          url: `${world.url}/console/approvals?open=${approvalId}`,
        },
      },
    });
    expect(approvalId).toMatch(/^apr_/);
  });

  it("gets the link although it accepts tasks too", async () => {
    const { handler: _, ...call } = await makeDesk(world);
    const capabilities = { ...LINKS, extensions: { [TASKS]: {} } };
    expect(inputRequiredSchema.safeParse(await send(world, call, { capabilities })).success).toBe(true);
  });

  it("starts no second execution when it repeats the call", async () => {
    const { handler, resumed, approvalId } = await startWaiting();
    expectStatus(await world.call("approve", { params: { id: approvalId }, body: {} }), 200);
    const before = await executionsOf();
    expect(await send(world, resumed)).toMatchObject(COMPLETED);
    expect(await send(world, resumed)).toMatchObject(COMPLETED);
    expect([await executionsOf(), handler.calls.length]).toEqual([before, 1]);
  });

  it("decides nothing by what it says the person did", async () => {
    const { handler, resumed, approvalId } = await startWaiting();
    const inputResponses = { [approvalId]: { action: "accept", content: { approved: true, decision: "approve" } } };
    const repeated = send(world, { ...resumed, inputResponses });
    const { body } = await world.call("getApproval", { params: { id: approvalId } });
    expect(body).toMatchObject({ status: "pending" });
    expect(handler.calls).toEqual([]);
    expectStatus(await world.call("deny", { params: { id: approvalId }, body: {} }), 200);
    await repeated;
    expect(handler.calls).toEqual([]);
  });

  it.each<[string, string]>([
    ["is no id", "anything"],
    ["names an execution that does not exist", UNKNOWN],
  ])("gets an error, and starts nothing, if its state %s", async (_how, requestState) => {
    const { resumed } = await startWaiting();
    const before = await executionsOf();
    const result = await send(world, { ...resumed, requestState });
    expect(result).toMatchObject({ isError: true });
    expect(await executionsOf()).toBe(before);
  });

  it("cannot read an execution of another workspace by its state", async () => {
    const { asked } = await startWaiting();
    const { key } = await world.makeWorkspace("mcp-links");
    await makeAgent(world, { name: "Own desk", model: "scripted/keyword", exposed: true }, { key });
    const call = { name: "own_desk", arguments: { input: "hello" }, requestState: asked.requestState };
    expect(await send(world, call, { key })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("NOT_FOUND") }],
    });
  });
});

it("a host that cannot show links reads the approval's page in the text", async () => {
  const { handler: _, ...call } = await makeDesk(world);
  const result = z.looseObject({}).parse(await send(world, call, { capabilities: {} }));
  const meta = z.looseObject({ "yagate/approvalIds": z.tuple([z.string()]) }).parse(result["_meta"]);
  const [approvalId] = meta["yagate/approvalIds"];
  const page = `${world.url}/console/approvals?open=${approvalId}`;
  expect(result).toMatchObject({
    content: [{ text: expect.stringContaining(`${approvalId} (the call of work, at ${page})`) }],
  });
});

it("a gateway without a console shows no link", async () => {
  const { handler: _, ...call } = await makeDesk(plain);
  const result = await send(plain, call);
  expect(result).toMatchObject({ content: [{ text: expect.stringMatching(/apr_\w+ \(the call of work\)/) }] });
});
