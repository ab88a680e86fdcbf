import type { NamedSecret } from "@yagate/lib/redaction/search/needles";
import { YagateError } from "@yagate/protocol";
import { expect, it } from "vitest";
import { unsentFailure } from "../../../calls/src/failure.ts";
import type { TaskRequest } from "../../../calls/src/port.ts";
import { openGuard } from "../../../mcp/test/client/support/guarded.ts";
import {
  startTaskServer,
  type TaskServer,
  type TaskServerOptions,
} from "../../../mcp/test/client/support/task-server.ts";
import { createFollowTask } from "../../src/mcp-calls/follow-task.ts";
import type { McpServices } from "../../src/mcp-calls/port.ts";

const NOW = Date.parse("2026-11-21T06:00:00.000Z");
const HOUR_MS = 3_600_000;
const endpointOf = openGuard();

const CALL = {
  ...{ workspaceId: "ws_1", agentId: "agt_1", executionId: "exec_1", toolCallId: "tc_1" },
  ...{ name: "work", parameters: {}, attempt: 1 },
};

/** Asks once about a task of a server, an hour after its creation and a day before its expiry. */
async function follow(
  options: TaskServerOptions,
  change: Partial<TaskRequest> = {},
  services: Partial<McpServices> = {},
  { valuesToRedact = [], onRequest }: { readonly valuesToRedact?: NamedSecret[]; readonly onRequest?: () => void } = {},
): Promise<{ readonly progress: unknown; readonly server: TaskServer }> {
  const server = await startTaskServer({ ttlMs: null, ...options });
  const response = await fetch(server.url, {
    method: "POST",
    headers: { "mcp-method": "tools/call", "mcp-name": "work" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: PARAMS }),
  });
  const { result } = (await response.json()) as { result: { taskId: string } };
  const open = endpointOf(server.url);
  const endpoint: typeof open = {
    ...open,
    async fetch(...request) {
      onRequest?.();
      return open.fetch(...request);
    },
  };
  const identity = { credential: "", eraKey: { sourceId: "src_1", client: "" } };
  const followTask = createFollowTask(
    {
      ...{ name: "work", hash: "sha256:0", parameters: { type: "object" } },
      ...{ server: { url: server.url, auth: null }, source: { id: "src_1", name: "slow" } },
    },
    {
      openEndpoint: async () => ({ endpoint, ...identity, valuesToRedact }),
      verdicts: { find: async () => undefined, note: async () => undefined },
      limits: { admit: async () => undefined, responseBytes: async () => 100_000, creditsPerCall: async () => 0 },
      outputProblem: async () => undefined,
      now: () => NOW,
      isTraceRecorded: () => false,
      ...services,
    },
  );
  const task: TaskRequest = {
    ...{ id: result.taskId, step: "poll", createdAt: NOW - HOUR_MS, expiresAt: NOW + 24 * HOUR_MS },
    ...{ ttlMs: null, pollIntervalMs: 2_000, askedKeys: [], mayAsk: true, ...change },
  };
  const { signal } = new AbortController();
  return { progress: await followTask(CALL, task, { signal, beforeSend: () => undefined }), server };
}

const PARAMS = {
  ...{ name: "work", arguments: {} },
  _meta: {
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  },
};

/** Changes what the server says about its task. */
const saying = (times: object): TaskServerOptions => ({
  change: (method, result) => (method === "tasks/get" ? JSON.parse(JSON.stringify({ ...result, ...times })) : result),
});

it.each<[string, object, number]>([
  ["the server's interval", { pollIntervalMs: 7_000 }, 7_000],
  ["at least 1 second", { pollIntervalMs: 0 }, 1_000],
  ["at most 1 hour", { pollIntervalMs: 1e15 }, HOUR_MS],
  ["the interval as it was, if the server names none", { pollIntervalMs: undefined }, 2_000],
  ["the end of the time that the server gives the task", { ttlMs: HOUR_MS + 500 }, 500],
])("the next request about a task that is working comes after %s", async (_what, times, delayMs) => {
  const { progress } = await follow(saying(times));
  expect(progress).toEqual({ nextAt: NOW + delayMs });
});

it.each<[string, TaskServerOptions, Partial<McpServices>]>([
  ["an HTTP error", { refuse: () => ({ status: 503 }) }, {}],
  [
    "a credential that is missing",
    {},
    { openEndpoint: async () => ({ failure: unsentFailure("CREDENTIAL_MISSING", "no person has signed in") }) },
  ],
])("after %s, the server is asked again after 30 seconds", async (_what, options, services) => {
  const refuse = (method: string) => (method === "tools/call" ? undefined : options.refuse?.(method));
  const { progress } = await follow({ ...options, refuse }, {}, services);
  expect(progress).toEqual({ nextAt: NOW + 30_000 });
});

it.each<[string, number, string | undefined, number]>([
  ["429 and 90 seconds", 429, "90", 90_000],
  ["503 and 90 seconds", 503, "90", 90_000],
  ["503 and a date", 503, "Sat, 21 Nov 2026 06:02:00 GMT", 120_000],
  ["503 and less than the interval of the task", 503, "0", 2_000],
  ["503 and a year", 503, "31536000", HOUR_MS],
  ["503 and a text", 503, "later", 30_000],
  ["503 without a time", 503, undefined, 30_000],
  ["500 and 90 seconds, which are ignored", 500, "90", 30_000],
])(
  "after a request about a task is rejected with HTTP %s, the next one comes when the server says, within bounds",
  async (_what, status, retryAfter, delayMs) => {
    const refuse = (method: string) => (method === "tasks/get" ? { status, retryAfter } : undefined);
    const { progress } = await follow({ refuse }, {}, { verdicts: MODERN });
    expect(progress).toEqual({ nextAt: NOW + delayMs });
  },
);

const MODERN: McpServices["verdicts"] = {
  find: async () => ({
    kind: "modern",
    discover: {
      ...{ supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
      serverInfo: { name: "tasks", version: "1" },
    },
  }),
  note: async () => undefined,
};

it.each<[string, Partial<TaskRequest>, object]>([
  ["the server gave the task", { ttlMs: HOUR_MS }, { ttlMs: HOUR_MS }],
  ["the gateway waits for a task", { expiresAt: NOW }, {}],
])("a task that works on although the time is over that %s is cancelled", async (_what, change, times) => {
  const { progress, server } = await follow(saying(times), change);
  expect(progress).toMatchObject({ outcome: { failure: { code: "TIMEOUT", outcome: "unknown" } } });
  expect([...server.tasks.values()]).toMatchObject([{ status: "cancelled" }]);
});

it("while a person is asked, the next request comes after a longer time, and other questions wait", async () => {
  const inputRequests = { one: { method: "elicitation/create", params: { mode: "url", message: "?", url: PAGE } } };
  const openQuestion = { leastDelayMs: 60_000 };
  for (const state of [{ status: "working" }, { status: "input_required", inputRequests }]) {
    const { progress, server } = await follow(saying(state), { openQuestion, mayAsk: false });
    expect(progress).toEqual({ nextAt: NOW + 60_000 });
    expect(server.methods).not.toContain("tasks/cancel");
  }
});

it("a task that the server gives more time goes on", async () => {
  const { progress } = await follow(saying({ ttlMs: 3 * HOUR_MS }), { ttlMs: HOUR_MS });
  expect(progress).toEqual({ nextAt: NOW + 1_000 });
});

it("a task that asks what no person may answer is cancelled, and may have taken effect", async () => {
  const inputRequests = { one: { method: "sampling/createMessage", params: { messages: [] } } };
  const { progress, server } = await follow(saying({ status: "input_required", inputRequests }));
  expect(progress).toMatchObject({ outcome: { failure: { code: "INPUT_REFUSED", outcome: "unknown" } } });
  expect(server.methods).toContain("tasks/cancel");
});

it("a task that asks in too many rounds is cancelled", async () => {
  const inputRequests = { one: { method: "elicitation/create", params: { mode: "url", message: "?", url: PAGE } } };
  const { progress, server } = await follow(saying({ status: "input_required", inputRequests }), { mayAsk: false });
  expect(progress).toMatchObject({ outcome: { failure: { code: "INPUT_REFUSED" } } });
  expect(server.methods).toContain("tasks/cancel");
});

const PAGE = "https://example.com/sign-in";

const TOKEN = "renewed-token-0123456789";

it("a token that was renewed during the request is removed from the result", async () => {
  const valuesToRedact = [{ name: "OAUTH_TOKEN", value: "first-token-0123456789" }];
  const { progress } = await follow(
    saying({ status: "completed", result: { content: [{ type: "text", text: TOKEN }] } }),
    {},
    {},
    {
      valuesToRedact,
      onRequest: () => valuesToRedact.push({ name: "OAUTH_TOKEN", value: TOKEN }),
    },
  );
  expect(progress).toEqual({ outcome: { result: "[redacted:OAUTH_TOKEN]" } });
});

it.each<[string, Partial<McpServices>]>([
  ["its credential cannot be read", { openEndpoint: () => Promise.reject(UNAVAILABLE) }],
  [
    "its verdict cannot be read",
    { verdicts: { find: () => Promise.reject(UNAVAILABLE), note: async () => undefined } },
  ],
])("a task goes on if the store is unavailable and %s", async (_what, services) => {
  const { progress } = await follow({}, {}, services);
  expect(progress).toEqual({ nextAt: NOW + 30_000 });
});

const UNAVAILABLE = new YagateError("UNAVAILABLE", "the store is unavailable");
