import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { sendResult, startHostileServer } from "../../packages/mcp/test/client/support/hostile-server.ts";
import type { HttpServer } from "../../packages/mcp/test/client/support/http-server.ts";
import { type MeasuredGateway, startMeasuredGateway } from "./support/measured-gateway.ts";

const MEBIBYTE = 1_048_576;
/** Most that the gateway's memory may grow while three servers send 50 MB or more each. Measured: 4 to 135 MiB. */
const MOST_GROWN_MIB = 250;
/** Longest time for which the gateway may not serve other requests, in ms. Measured: 90 to 270 ms. */
const LONGEST_GAP_MS = 1_000;
const AT_ONCE = 3;

const JSON_TYPE = { "content-type": "application/json" };
const EVENTS = { "content-type": "text/event-stream" };
const inputSchema = { type: "object" };

type Respond = (response: ServerResponse, id: unknown) => unknown;

let gateway: MeasuredGateway | undefined;
afterEach(() => gateway?.stop());

/** Sends `start`, then parts of 1 MiB until there are so many or the reader goes away, then `end`. */
async function pour(response: ServerResponse, start: string, count: number, end: string): Promise<void> {
  const closed = once(response, "close");
  const part = "x".repeat(MEBIBYTE);
  response.write(start);
  for (let sent = 0; sent < count && !response.destroyed; sent += 1) {
    if (!response.write(part)) await Promise.race([once(response, "drain"), closed]);
  }
  response.end(end);
}

const head = (id: unknown) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
const fields = JSON.stringify({ resultType: "complete", ttlMs: 0, cacheScope: "private" }).slice(0, -1);
const padded = (name: string) => `{"name":"${name}","inputSchema":{"type":"object","description":"`;

const LISTS: readonly (readonly [string, Respond])[] = [
  [
    "a schema of 50 MB",
    (response, id) =>
      pour(response.writeHead(200, JSON_TYPE), `${head(id)}${fields},"tools":[${padded("a")}`, 50, '"}}]}}'),
  ],
  [
    "a schema of 50 MB in an event stream",
    (response, id) =>
      pour(response.writeHead(200, EVENTS), `data: ${head(id)}${fields},"tools":[${padded("a")}`, 50, '"}}]}}\n\n'),
  ],
  [
    "10,000 tools",
    (response, id) =>
      sendResult(response, id, {
        tools: Array.from({ length: 10_000 }, (_, at) => ({
          name: `t${at}`,
          inputSchema,
          description: "x".repeat(500),
        })),
      }),
  ],
  [
    "a stream without an end",
    (response) => pour(response.writeHead(200, EVENTS), ": ", Number.POSITIVE_INFINITY, "\n\n"),
  ],
  [
    "pages of 1 MB without an end",
    (response, id) => sendResult(response, id, { tools: [], nextCursor: "x".repeat(1_000_000) }),
  ],
];

const CALLS: readonly (readonly [string, string, Respond])[] = [
  [
    "a text of 50 MB",
    "RESPONSE_TOO_LARGE",
    (response, id) =>
      pour(response.writeHead(200, JSON_TYPE), `${head(id)}${fields},"content":[{"type":"text","text":"`, 50, '"}]}}'),
  ],
  [
    "a stream without an end",
    "RESPONSE_TOO_LARGE",
    (response) => pour(response.writeHead(200, EVENTS), ": ", Number.POSITIVE_INFINITY, "\n\n"),
  ],
  [
    "content that takes exponential time to check",
    "INVALID_RESPONSE",
    (response, id) => sendResult(response, id, { content: [], structuredContent: { a: `${"a".repeat(100_000)}!` } }),
  ],
];

/** A schema against which no value is checked quickly: an exponential pattern, and 500 alternatives. */
const outputSchema = {
  type: "object",
  properties: { a: { pattern: "^(a+)+$" } },
  anyOf: Array.from({ length: 500 }, (_, at) => ({ required: [`r${at}`] })),
};

/** A gateway that has loaded what it needs for MCP, so that only the hostile response counts. */
async function startGateway(): Promise<MeasuredGateway> {
  const started = await startMeasuredGateway();
  gateway = started;
  const server = await startHostileServer({
    list: (response, { id }) => sendResult(response, id, { tools: [{ name: "good", inputSchema }] }),
    call: (response, { id }) => sendResult(response, id, { content: [{ type: "text", text: "ran" }] }),
  });
  expect(await call(started, await sourceOf(started, "first", server), "good")).toMatchObject({ result: "ran" });
  return started;
}

function sourceOf({ client }: MeasuredGateway, name: string, { url }: HttpServer) {
  return client.sources.create({ name, kind: "mcp", url, accept: "all" });
}

/** Calls one tool of a source, in an execution of its own. */
async function call({ client }: MeasuredGateway, source: { readonly id: string; readonly name: string }, tool: string) {
  const agent = await client.agents.create({
    ...{ name: "Hostile", model: "scripted/turns", tools: [{ source: source.id }], policy: { network: true } },
  });
  const turns = [{ toolCalls: [{ name: `${source.name}.${tool}`, parameters: {} }] }, { text: "done" }];
  const { id } = await client.agents.execute(agent.id, { input: "go", script: { turns } });
  const [record] = await client.executions.toolCalls(id).toArray();
  return record;
}

describe("three MCP servers at once cannot exhaust the gateway's memory or time", { timeout: 120_000 }, () => {
  it.each(LISTS)("with lists that have %s", async (_name, respond) => {
    const started = await startGateway();
    const lists = { isHostile: false };
    const servers = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        startHostileServer({
          list: (response, { id }) =>
            lists.isHostile
              ? respond(response, id)
              : sendResult(response, id, { tools: [{ name: "good", inputSchema }] }),
          call: (response, { id }) => sendResult(response, id, { content: [{ type: "text", text: "ran" }] }),
        }),
      ),
    );
    const sources = await Promise.all(servers.map((server, at) => sourceOf(started, `hostile${at}`, server)));
    lists.isHostile = true;
    const { result, grownMiB, longestGapMs } = await started.growthWhile(() =>
      Promise.all(sources.map(({ id }) => started.client.sources.sync(id).catch((error: unknown) => error))),
    );
    for (const failure of result) expect(failure).toMatchObject({ code: "MANIFEST_INVALID" });
    expect(longestGapMs).toBeLessThan(LONGEST_GAP_MS);
    expect(grownMiB).toBeLessThan(MOST_GROWN_MIB);
    // The accepted definitions go on.
    for (const source of sources) expect(await call(started, source, "good")).toMatchObject({ result: "ran" });
  });

  it.each(CALLS)("with results that are %s", async (_name, code, respond) => {
    const started = await startGateway();
    const server = await startHostileServer({
      list: (response, { id }) => sendResult(response, id, { tools: [{ name: "hostile", inputSchema, outputSchema }] }),
      call: (response, { id }) => respond(response, id),
    });
    const source = await sourceOf(started, "hostile", server);
    const { result, grownMiB, longestGapMs } = await started.growthWhile(() =>
      Promise.all(Array.from({ length: AT_ONCE }, () => call(started, source, "hostile"))),
    );
    for (const record of result) expect(record).toMatchObject({ status: "failed", error: { code } });
    expect(longestGapMs).toBeLessThan(LONGEST_GAP_MS);
    expect(grownMiB).toBeLessThan(MOST_GROWN_MIB);
  });
});
