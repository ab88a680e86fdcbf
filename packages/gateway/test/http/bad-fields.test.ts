import { afterAll, describe, expect, it } from "vitest";
import { fieldsOf, makeAgent, problemOf } from "./support/agents.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

const agent = await makeAgent(world);
const scripted = { input: "hello", script: { turns: [{ text: "hi" }] } };
const tool = {
  name: "work",
  description: "Works.",
  parameters: { type: "object" },
  handler: "https://tools.example/a",
};

type Row = readonly [what: string, body: unknown, fields: readonly string[]];

/** Every wrong field is named, and nothing else. */
function refuses(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    it.each(rows)("refuses %s", async (_what, body, fields) => {
      const answer = await world.call(name, { params: { id: agent.id }, body });
      expect(problemOf(answer)).toMatchObject({
        status: 422,
        code: "INVALID_REQUEST",
        detail: "the request has fields that are wrong, missing or unknown; see errors",
      });
      expect(fieldsOf(answer)).toEqual(fields);
    });
  });
}

const definition = (rest: object) => ({ name: "a", model: "scripted/keyword", ...rest });

refuses("createAgent", [
  ["an empty object", {}, ["name: expected string, but it is missing", "model: expected string, but it is missing"]],
  [
    "wrong types everywhere",
    { name: 1, model: null, systemPrompt: [], tools: {}, limits: "none", policy: true },
    [
      "name: expected string, received number",
      "model: expected string, received null",
      "systemPrompt: expected string, received array",
      "tools: expected array, received object",
      "limits: expected object, received string",
      "policy: expected object, received boolean",
    ],
  ],
  [
    "many mistakes deep inside of a REST tool",
    definition({
      tools: [
        {
          rest: {
            name: "Bad Name",
            description: "",
            method: "get",
            url: "https://api.example/",
            retry: 1,
            parameters: [{ name: "a", in: "qury", type: "str" }],
          },
        },
      ],
    }),
    [
      "tools[0].rest.name: expected letters, digits, _ or -, with dots between namespaces, such as lookup_order or orders.get_by_id",
      "tools[0].rest.description: expected string to have at least 1 characters",
      'tools[0].rest.method: expected one of "GET"|"POST"|"PUT"|"PATCH"|"DELETE"',
      'tools[0].rest.parameters[0].in: expected one of "path"|"query"|"header"|"body"',
      'tools[0].rest.parameters[0].type: expected one of "string"|"number"|"integer"|"boolean"|"array"|"object"',
      "tools[0].rest.retry: unknown field",
    ],
  ],
  [
    "misspelt fields of a composed tool",
    definition({
      tools: [{ name: "a", descr: "x", params: {}, implementation: { primitiv: "http_request", arg: {} } }],
    }),
    [
      "tools[0].description: expected string, but it is missing",
      "tools[0].parameters: expected a JSON object",
      "tools[0].implementation.primitive: expected string, but it is missing",
      "tools[0].implementation.args: expected a JSON object",
      "tools[0].implementation.primitiv: unknown field",
      "tools[0].implementation.arg: unknown field",
      "tools[0].descr: unknown field",
      "tools[0].params: unknown field",
    ],
  ],
  ["a blank name", definition({ name: "  " }), ["name: expected string to have at least 1 characters"]],
  ["a long name", definition({ name: "n".repeat(201) }), ["name: expected string to have at most 200 characters"]],
  [
    "what only the gateway sets",
    definition({ id: "agt_1", createdAt: "now", version: 3 }),
    ["id: unknown field", "createdAt: unknown field", "version: unknown field"],
  ],
  [
    "limits out of range and unknown ones",
    definition({ limits: { maxToolIterations: -1, maxToolCallsPerTurn: 0, maxWallTimeMs: 1.5, maxTurns: 3 } }),
    [
      "limits.maxToolIterations: expected number to be at least 0",
      "limits.maxToolCallsPerTurn: expected number to be at least 1",
      "limits.maxWallTimeMs: expected whole number, received number",
      "limits.maxTurns: unknown field",
    ],
  ],
  [
    "limits past the largest",
    definition({ limits: { maxToolIterations: 1_001, maxWallTimeMs: 86_400_001, maxToolCostUsd: -0.01 } }),
    [
      "limits.maxToolIterations: expected number to be at most 1000",
      "limits.maxWallTimeMs: expected number to be at most 86400000",
      "limits.maxToolCostUsd: expected number to be at least 0",
    ],
  ],
  [
    "a policy with unknown words",
    definition({ policy: { approval: "sometimes", toolKinds: ["handler", "rocket"], loud: true } }),
    [
      'policy.toolKinds[1]: expected one of "handler"|"network"|"compute"|"data"|"file"|"shell"',
      'policy.approval: expected one of "destructive"|"writes"|"always"|"never"',
      "policy.loud: unknown field",
    ],
  ],
  [
    "tools, each by what it was meant to be",
    definition({
      tools: [
        { builtin: "calculater" },
        { builtin: "calculator", timeout: 5 },
        { ...tool, handlr: "https://tools.example" },
        { ...tool, timeout: 0, retries: 11, sideEffect: "write" },
        { name: "9work", description: "", parameters: { type: "array" }, handler: "tools.example" },
        { name: "work" },
        "calculator",
      ],
    }),
    [
      'tools[0].builtin: expected one of "web_search"|"url_fetch"|"calculator"|"datetime"|"json_validator"|"text_summarizer"|"read_artifact"|"summarizer"|"api_call"|"http_get"|"http_post"|"webhook"',
      "tools[1].timeout: unknown field",
      "tools[2].handlr: unknown field",
      "tools[3].timeout: expected number to be at least 1",
      "tools[3].retries: expected number to be at most 10",
      'tools[3].sideEffect: expected one of "read_only"|"idempotent_write"|"non_idempotent_write"|"destructive"',
      "tools[4].name: expected letters, digits, _ or -, with dots between namespaces, such as lookup_order or orders.get_by_id",
      "tools[4].description: expected string to have at least 1 characters",
      'tools[4].parameters: expected a JSON Schema with "type": "object"',
      "tools[4].handler: expected an http or https URL",
      "tools[5].description: expected string, but it is missing",
      "tools[5].parameters: expected a JSON object",
      "tools[5].handler: expected an http or https URL",
      "tools[6]: expected object, received string",
    ],
  ],
  [
    "more tools than an agent may have",
    definition({ tools: Array.from({ length: 129 }, () => ({ builtin: "calculator" })) }),
    ["tools: expected array to have at most 128 items"],
  ],
]);

refuses("updateAgent", [
  ["a version that is none", { version: 0 }, ["version: expected number to be at least 1"]],
  ["null, which removes nothing", { name: null }, ["name: expected string, received null"]],
  ["unknown fields", { title: "x", limits: { max: 1 } }, ["limits.max: unknown field", "title: unknown field"]],
  [
    "a policy that is half wrong",
    { policy: { network: "yes" } },
    ["policy.network: expected boolean, received string"],
  ],
]);

refuses("executeAgent", [
  ["nothing to do", { script: scripted.script }, ["input: expected string or array, but it is missing"]],
  [
    "more calls of a turn than any limit lets run",
    { ...scripted, script: { turns: [{ toolCalls: Array(1_001).fill({ name: "work", parameters: {} }) }] } },
    ["script.turns[0].toolCalls: expected array to have at most 1000 items"],
  ],
  ["an input of another type", { ...scripted, input: 5 }, ["input: expected string or array, received number"]],
  ["an empty input", { ...scripted, input: "" }, ["input: expected string to have at least 1 characters"]],
  [
    "messages without an author or content",
    { ...scripted, input: [{ content: "a" }, { role: "system", content: "" }] },
    [
      'input[0].role: expected one of "user"|"assistant"',
      'input[1].role: expected one of "user"|"assistant"',
      "input[1].content: expected string to have at least 1 characters",
    ],
  ],
  [
    "a conversation that ends with the assistant",
    { ...scripted, input: [{ role: "assistant", content: "a" }] },
    ["input: expected the last message to have the role user"],
  ],
  [
    "unknown fields anywhere",
    { ...scripted, stream: true, script: { turns: [{ say: "hi" }] }, fallback: { waitSeconds: 5 } },
    ["fallback.waitSeconds: unknown field", "script.turns[0].say: unknown field", "stream: unknown field"],
  ],
  [
    "wrong values everywhere",
    { ...scripted, limits: { maxWallTimeMs: 0 }, toolChoice: "none", scopes: [""], fallback: { waitMs: 600_001 } },
    [
      "limits.maxWallTimeMs: expected number to be at least 1",
      'toolChoice: expected one of "auto"|"required"|"forbidden"',
      "scopes[0]: expected string to have at least 1 characters",
      "fallback.waitMs: expected number to be at most 600000",
    ],
  ],
  [
    "a caller and metadata that are too large",
    { ...scripted, caller: { note: "ä".repeat(2_043) }, metadata: { note: "n".repeat(16_374) } },
    ["caller: expected at most 4096 bytes of JSON", "metadata: expected at most 16384 bytes of JSON"],
  ],
  [
    "a caller and metadata that are no objects",
    { ...scripted, caller: "user_1", metadata: [] },
    ["caller: expected a JSON object", "metadata: expected a JSON object"],
  ],
  [
    "no script for a model that plays one",
    { input: "hello" },
    ['script: expected a script for the model scripted/turns, such as { "turns": [{ "text": "…" }] }'],
  ],
]);

refuses("rotateSigningSecret", [
  [
    "a name and an overlap that can't be",
    { name: "Default", overlapSeconds: -1 },
    [
      "name: expected 1 to 64 lower-case letters, digits, _ or -, starting with a letter",
      "overlapSeconds: expected number to be at least 0",
    ],
  ],
  [
    "an overlap of more than 7 days",
    { overlapSeconds: 604_801 },
    ["overlapSeconds: expected number to be at most 604800"],
  ],
]);

refuses("createWorkspace", [
  ["no name", {}, ["name: expected string, but it is missing"]],
  [
    "a name with spaces",
    { name: "my team" },
    ["name: expected 1 to 64 lower-case letters, digits, _ or -, starting with a letter"],
  ],
]);

const SCOPES = '"agents"|"executions"|"fallback"|"approvals"|"secrets"|"tools"|"operations"|"admin"';

refuses("createApiKey", [
  [
    "no name and no scope",
    { scopes: [] },
    ["name: expected string, but it is missing", "scopes: expected array to have at least 1 items"],
  ],
  ["an unknown scope", { name: "a", scopes: ["agents", "root"] }, [`scopes[1]: expected one of ${SCOPES}`]],
  [
    "an id of something else",
    { name: "a", scopes: ["agents"], workspaceId: "agt_1" },
    ["workspaceId: expected an id that starts with ws_"],
  ],
]);

refuses("answerFallback", [
  ["neither of the two", {}, ["result: expected a JSON value"]],
  ["both", { result: 1, decline: true }, ["decline: unknown field"]],
  ["a decline that is none", { decline: false }, ["decline: expected true"]],
]);

refuses("approve", [
  [
    "arguments and a comment that can't be",
    { parameters: "all", comment: 7, reason: "no" },
    ["parameters: expected a JSON object", "comment: expected string, received number", "reason: unknown field"],
  ],
  [
    "a comment that is too long",
    { comment: "c".repeat(2_001) },
    ["comment: expected string to have at most 2000 characters"],
  ],
]);

refuses("deny", [
  [
    "a reason that is none, and what belongs to an approval",
    { reason: null, parameters: {} },
    ["reason: expected string, received null", "parameters: unknown field"],
  ],
]);

it("takes no script for a model that plays none", async () => {
  const other = await makeAgent(world, { model: "scripted/keyword" });
  const answer = await world.call("executeAgent", { params: { id: other.id }, body: scripted });
  expect(answer.status).toBe(422);
  expect(fieldsOf(answer)).toEqual([
    "script: expected no script: only the model scripted/turns plays one, and the agent's model is scripted/keyword",
  ]);
});

it("takes a caller and metadata of exactly the largest size", async () => {
  const body = { ...scripted, caller: { note: "n".repeat(4_085) }, metadata: { note: "n".repeat(16_373) } };
  expect((await world.call("executeAgent", { params: { id: agent.id }, body })).status).toBe(201);
});

it("names at most 1000 fields, so that the answer is not many times as large as the request", async () => {
  const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]));
  expect(fieldsOf(await world.call("createAgent", { body }))).toHaveLength(1_000);
});

it("makes nothing of a request that it refuses", async () => {
  expect((await world.call("listAgents")).body).toMatchObject({ data: [{}, { id: agent.id }] });
  expect((await world.call("listWorkspaces")).body).toMatchObject({ data: [{ name: "default" }] });
});
