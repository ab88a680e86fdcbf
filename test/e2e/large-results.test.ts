import type { AgentDefinition, ToolCallRecord } from "@yagate/client";
import { beforeEach, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../services/migrated-stores.ts";
import { hasPostgres } from "../services/postgres.ts";
import { type ModelServer, startModelServer, type WireRequest, type WireTurn } from "./support/model-server.ts";
import { startRawService, toolAt } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

/** 300 KB and more of JSON, with characters of several bytes. */
const CATALOGUE = {
  status: "ok",
  items: Array.from({ length: 4_000 }, (_, id) => ({
    id,
    name: `Ding №${id}`,
    tags: ["a", "b"],
    "list price": id / 4,
  })),
};
const REPORT = Array.from({ length: 12_000 }, (_, index) => `Zeile ${index}: alles in Ordnung`).join("\n");

const LOOKUP: WireTurn = { calls: [{ name: "lookup_order", arguments: '{"orderId":"ORD-1"}' }] };
const read = (parameters: (artifactId: string) => object) => (request: WireRequest) => ({
  calls: [{ name: "read_artifact", arguments: JSON.stringify(parameters(artifactIn(request))) }],
});
const namesOf = ({ tools }: WireRequest) => tools.map(({ function: { name } }) => name);

/** The texts that the model has read of calls so far. */
function resultsIn({ messages }: WireRequest): readonly string[] {
  return messages.filter(({ role }) => role === "tool").map(({ content }) => String(content));
}

/** The id that the first preview names. */
function artifactIn(request: WireRequest): string {
  const id = /artifact (art_\w+)/.exec(resultsIn(request)[0] ?? "")?.[1];
  if (id === undefined) throw new Error("expected a preview that names an artifact");
  return id;
}

/** The request number `index`, from 0. */
function asked({ requests }: ModelServer, index: number): WireRequest {
  const request = requests.at(index);
  if (request === undefined) throw new Error("expected the model to be asked so often");
  return request;
}

let config: { readonly databaseUrl?: string } = {};

/** Plays the turns; the tool answers with `result`. */
async function play(
  result: unknown,
  turns: Parameters<typeof startModelServer>[0],
  tools: AgentDefinition["tools"] = [],
) {
  const model = await startModelServer(turns);
  const world = await openWorld({ providers: { openai: { apiKey: "sk-test", baseUrl: model.url } }, ...config });
  const { url } = await startRawService((response) => void response.json({ result }));
  const agent = await world.createAgent([toolAt(url), ...(tools ?? [])], { model: "openai/gpt-test" });
  const run = () => world.client.agents.execute(agent.id, { input: "go" });
  return { world, model, agent, run, execution: await run() };
}

const readings = (calls: readonly ToolCallRecord[]) =>
  calls.filter(({ name }) => name === "read_artifact").map(({ status, result, error }) => error ?? result ?? status);

function describeLargeResults(): void {
  it("a model that gets a preview of large JSON reads the rest of it by path and by range", async () => {
    const json = JSON.stringify(CATALOGUE);
    const { model, execution, world } = await play(CATALOGUE, [
      LOOKUP,
      read((artifactId) => ({ artifactId, path: "$.items[2500:2502]['name','list price']" })),
      read((artifactId) => ({ artifactId, offset: 200_000, length: 100 })),
      read((artifactId) => ({ artifactId, path: "$.items" })),
      read((artifactId) => ({ artifactId, path: "$.items", offset: 1_000, length: 50 })),
      { text: "the answer" },
    ]);
    expect(execution).toMatchObject({ stopReason: "final", output: { text: "the answer" } });
    expect(model.requests.map(namesOf)).toEqual([
      ["lookup_order"],
      ...Array.from({ length: 5 }, () => ["lookup_order", "read_artifact"]),
    ]);

    const [preview = ""] = resultsIn(asked(model, 1));
    expect(preview.length).toBeLessThanOrEqual(8_000);
    expect(preview).toContain(`${json.length} characters, ${Buffer.byteLength(json)} bytes of application/json`);
    expect(preview).toContain("$.items: array of 4000: object\n$.items[0]: object of 4");
    expect(preview).toMatch(/\[cut: \d+ of \d+ characters left out; read_artifact reads them\]$/);

    const [call] = execution.toolCalls;
    const artifactId = call?.artifactId ?? "";
    expect(artifactId).toBe(call?.id.replace("tc_", "art_"));
    const items = JSON.stringify(CATALOGUE.items);
    expect(readings(execution.toolCalls)).toEqual([
      { artifactId, path: expect.any(String), count: 4, values: ["Ding №2500", 625, "Ding №2501", 625.25] },
      {
        artifactId,
        mediaType: "application/json",
        offset: 200_000,
        nextOffset: 200_100,
        totalCharacters: json.length,
        text: json.slice(200_000, 200_100),
      },
      expect.objectContaining({
        count: 1,
        totalCharacters: items.length,
        nextOffset: 8_000,
        text: items.slice(0, 8_000),
      }),
      expect.objectContaining({ count: 1, offset: 1_000, text: items.slice(1_000, 1_050) }),
    ]);
    for (const record of execution.toolCalls.slice(1)) {
      expect(record).toMatchObject({ kind: "data", risk: "read_only", attempts: [] });
      expect(record).not.toHaveProperty("artifactId");
    }

    const { artifacts } = world.client;
    expect(await artifacts.content(artifactId)).toBe(json);
    expect(await artifacts.get(artifactId, { path: "$.items[-1].id" })).toEqual({
      id: artifactId,
      path: "$.items[-1].id",
      data: [3_999],
      isComplete: true,
    });
    expect(await artifacts.get(artifactId, { offset: json.length - 3, length: 9 })).toEqual({
      id: artifactId,
      mediaType: "application/json",
      totalCharacters: json.length,
      totalBytes: Buffer.byteLength(json),
      offset: json.length - 3,
      nextOffset: null,
      text: json.slice(-3),
    });
  });

  it("a model reads a large text from one piece to the next", async () => {
    const next = (request: WireRequest): WireTurn => {
      const last = resultsIn(request).slice(1).at(-1);
      const offset = last === undefined ? 0 : JSON.parse(last).nextOffset;
      if (offset === null) return { text: "read" };
      return read((artifactId) => ({ artifactId, offset, length: 20_000 }))(request);
    };
    const { execution, world } = await play(REPORT, [LOOKUP, ...Array.from({ length: 40 }, () => next)], []);
    // The default limit of iterations ends it; what was read until then is the text's beginning.
    const pieces = readings(execution.toolCalls).map((result) => Object(result).text);
    expect(pieces.length).toBeGreaterThan(3);
    const text = pieces.join("");
    expect(text).toBe(REPORT.slice(0, text.length));
    const [call] = execution.toolCalls;
    const whole = await fetch(`${world.url}/v1/artifacts/${call?.artifactId}`, {
      headers: { authorization: `Bearer ${world.apiKey}` },
    });
    expect(whole.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await whole.text()).toBe(REPORT);
  });

  it("nobody reads an artifact of another execution or workspace", async () => {
    let foreign = "";
    const { run, execution, world, model } = await play(CATALOGUE, [
      LOOKUP,
      { text: "first" },
      LOOKUP,
      () => ({ calls: [{ name: "read_artifact", arguments: JSON.stringify({ artifactId: foreign, path: "$" }) }] }),
      { text: "second" },
    ]);
    foreign = execution.toolCalls[0]?.artifactId ?? "";
    const second = await run();
    expect(second.output?.text).toBe("second");
    expect(readings(second.toolCalls)).toMatchObject([
      { code: "NOT_FOUND", retryable: false, hint: expect.stringContaining("preview") },
    ]);
    expect(resultsIn(asked(model, -1)).at(-1)).not.toContain("Ding");

    const { client } = world;
    const { id: workspaceId } = await client.workspaces.create({ name: "strangers" });
    const { key } = await client.apiKeys.create({ name: "app", scopes: ["executions"], workspaceId });
    const weak = await client.apiKeys.create({ name: "weak", scopes: ["agents"] });
    const status = async (bearer: string, query = "") => {
      const headers = { authorization: `Bearer ${bearer}` };
      return (await fetch(`${world.url}/v1/artifacts/${foreign}${query}`, { headers })).status;
    };
    expect(await status(world.apiKey)).toBe(200);
    expect([await status(key), await status(key, "?path=$"), await status(weak.key)]).toEqual([404, 404, 403]);
    // What was shown whole is no artifact, for anybody.
    const shown = second.toolCalls.find(({ name }) => name === "read_artifact");
    foreign = shown?.id.replace("tc_", "art_") ?? "";
    expect(await status(world.apiKey)).toBe(404);
  });
}

describe("large results in SQLite", describeLargeResults);

describe.skipIf(!hasPostgres())("large results in PostgreSQL", () => {
  beforeEach(async () => {
    config = { databaseUrl: await createMigratedDatabase() };
    return () => {
      config = {};
    };
  });
  describeLargeResults();
});

describe("read_artifact", () => {
  it.each<[string, (artifactId: string) => object, object]>([
    ["what is no path", (artifactId) => ({ artifactId, path: "items[0]" }), { code: "INVALID_ARGUMENTS" }],
    ["a filter", (artifactId) => ({ artifactId, path: "$.items[?@.id == 1]" }), { code: "INVALID_ARGUMENTS" }],
    ["more than it may", (artifactId) => ({ artifactId, length: 20_001 }), { code: "INVALID_ARGUMENTS" }],
    ["what is no id", () => ({ artifactId: "tc_1" }), { code: "INVALID_ARGUMENTS" }],
    ["what was never there", () => ({ artifactId: "art_1" }), { code: "NOT_FOUND" }],
    ["a path to nothing", (artifactId) => ({ artifactId, path: "$.nothing" }), { count: 0, values: [] }],
  ])("answers who asks for %s", async (_name, parameters, outcome) => {
    const { execution } = await play(CATALOGUE, [LOOKUP, read(parameters), { text: "done" }]);
    expect(readings(execution.toolCalls)).toMatchObject([outcome]);
    expect(execution.output?.text).toBe("done");
  });

  it("is no tool before there is something to read, unless the agent lists it", async () => {
    const unread = { calls: [{ name: "read_artifact", arguments: '{"artifactId":"art_1"}' }] };
    const without = await play("small", [unread, { text: "done" }]);
    expect(without.execution.toolCalls).toMatchObject([{ error: { code: "UNKNOWN_TOOL" }, kind: null }]);
    const listed = await play("small", [unread, { text: "done" }], [{ builtin: "read_artifact" }]);
    expect(listed.model.requests.map(namesOf)).toEqual([
      ["lookup_order", "read_artifact"],
      ["lookup_order", "read_artifact"],
    ]);
    expect(listed.execution.toolCalls).toMatchObject([{ error: { code: "NOT_FOUND" }, kind: "data" }]);
  });

  it("leaves an agent's own tool of that name alone", async () => {
    const { url } = await startRawService((response) => void response.json({ result: "its own" }));
    const own = toolAt(url, { name: "read_artifact" });
    const call = { calls: [{ name: "read_artifact", arguments: '{"orderId":"ORD-1"}' }] };
    const { model, execution } = await play(CATALOGUE, [LOOKUP, call, { text: "done" }], [own]);
    expect(model.requests.map(namesOf)).toEqual(Array.from({ length: 3 }, () => ["lookup_order", "read_artifact"]));
    expect(readings(execution.toolCalls)).toEqual(["its own"]);
    const [preview = ""] = resultsIn(asked(model, 1));
    expect(preview).toContain("[cut: ");
    expect(preview).not.toContain("read_artifact");
  });

  it("asks a person where the agent has every call asked for", async () => {
    const answers = [LOOKUP, read((artifactId) => ({ artifactId, path: "$.status" })), { text: "done" }];
    const model = await startModelServer(answers);
    const world = await openWorld({
      providers: { openai: { apiKey: "sk-test", baseUrl: model.url } },
      allowSelfApproval: true,
    });
    const { url } = await startRawService((response) => void response.json({ result: CATALOGUE }));
    const policy = { network: false, approval: "always" as const };
    const agent = await world.createAgent([toolAt(url)], { model: "openai/gpt-test", policy });
    const { client } = world;
    const { id } = await client.agents.start(agent.id, { input: "go" });
    const edits = [undefined, { artifactId: "", path: "$.items[1].id" }];
    for await (const event of client.executions.events(id)) {
      if (event.type !== "approval.requested") continue;
      const { parameters } = await client.approvals.get(event.approvalId);
      const edit = edits.shift();
      await client.approvals.approve(
        event.approvalId,
        edit === undefined ? {} : { parameters: { ...edit, artifactId: String(Object(parameters).artifactId) } },
      );
    }
    const calls = await client.executions.toolCalls(id).toArray();
    expect(readings(calls)).toMatchObject([{ path: "$.items[1].id", values: [1] }]);
    expect(edits).toEqual([]);
  });

  it("is not offered where the policy denies tools of its kind", async () => {
    const model = await startModelServer([LOOKUP, { text: "done" }]);
    const world = await openWorld({ providers: { openai: { apiKey: "sk-test", baseUrl: model.url } } });
    const { url } = await startRawService((response) => void response.json({ result: CATALOGUE }));
    const policy = { network: false, toolKinds: ["handler" as const], approval: "never" as const };
    const agent = await world.createAgent([toolAt(url)], { model: "openai/gpt-test", policy });
    await world.client.agents.execute(agent.id, { input: "go" });
    expect(model.requests.map(namesOf)).toEqual([["lookup_order"], ["lookup_order"]]);
    expect(resultsIn(asked(model, 1))[0]).not.toContain("read_artifact");
  });
});

it.each([
  [4_000, "final"],
  [3_999, "maxToolResultTokens"],
])(
  "of two large results the model reads 4000 tokens: under %i it stops for %s",
  async (maxToolResultTokens, reason) => {
    const { world, agent } = await play(CATALOGUE, [{ text: "nothing yet" }, LOOKUP, LOOKUP, { text: "done" }]);
    const request = { input: "go", limits: { maxToolResultTokens } };
    expect((await world.client.agents.execute(agent.id, request)).stopReason).toBe(reason);
  },
);
