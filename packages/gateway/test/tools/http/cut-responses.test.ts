import { describe, expect, it } from "vitest";
import * as z from "zod";
import { startNetworkWorld } from "./support/network-world.ts";

const LIMIT = 120_000;
const world = await startNetworkWorld({
  plans: { standard: { callsPerExecution: 1_000, callsPerMinute: 1_000, responseBytes: LIMIT } },
});
const { service } = world;
const agent = await world.agent();
const get = { name: "http_get", parameters: { url: service.url("/") } };

/** Every answer from now on. */
function answerWith(status: number, body: string, type = "application/json"): void {
  service.respond = (_request, response) => {
    response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
  };
}

/** Calls the service once. */
async function callService() {
  const { calls } = await world.run(agent, [get]);
  const [call] = calls;
  const artifactId = call?.id.replace("tc_", "art_") ?? "";
  const read = async (query: Record<string, string>) =>
    world.call("getArtifact", { params: { id: artifactId }, query });
  return { call, artifactId, read };
}

const items = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `item ${id}` }));

describe("an answer of JSON that is longer than the plan allows", () => {
  it("is kept as JSON as far as it is whole, so that paths lead into it", async () => {
    const body = JSON.stringify({ total: items.length, items });
    answerWith(200, body);
    const { call, artifactId, read } = await callService();
    expect(call).toMatchObject({
      artifactId,
      result: { status: 200, truncated: true, totalBytes: body.length, body: { total: items.length } },
    });
    const kept = z
      .looseObject({ body: z.looseObject({ items: z.array(z.json()) }), keptBytes: z.number() })
      .parse(call?.result);
    expect(kept.body.items).toEqual(items.slice(0, kept.body.items.length));
    expect(kept.keptBytes).toBeGreaterThan(LIMIT - 100);
    expect(kept.keptBytes).toBeLessThanOrEqual(LIMIT);
    const selected = await read({ path: "$.body.items[2000:2002].id" });
    expect(selected.body).toMatchObject({ data: [2_000, 2_001], isComplete: true });
  });
});

describe("an error whose body is long", () => {
  const problems = JSON.stringify({ code: "invalid", problems: items.slice(0, 3_000) });

  it("is kept whole, has a handle, and is read on where the model stopped", async () => {
    answerWith(422, problems);
    const { call, artifactId, read } = await callService();
    expect(call).toMatchObject({
      status: "failed",
      artifactId,
      error: { code: "HANDLER_ERROR", details: { status: 422, body: JSON.parse(problems) } },
    });
    expect((await read({ path: "$.error.details.body.problems[2999].name" })).body).toMatchObject({
      data: ["item 2999"],
    });
    const piece = await read({ offset: "36000", length: "50" });
    expect(piece.body).toMatchObject({ mediaType: "application/json", offset: 36_000 });
    expect(JSON.stringify((await read({ path: "$" })).body)).not.toContain("developerMessage");
  });

  it("has no handle where the model reads all of it", async () => {
    answerWith(422, '{"code":"invalid"}');
    const { call, read } = await callService();
    expect(call).not.toHaveProperty("artifactId");
    expect((await read({})).status).toBe(404);
  });
});

it.each<[string, number]>([
  ["a result", 200],
  ["a failure", 500],
])("the record of %s says how much of the answer was kept", async (_what, status) => {
  const body = "x".repeat(LIMIT + 80_000);
  answerWith(status, body, "text/plain");
  const { call } = await callService();
  expect(status === 200 ? call?.result : call?.error?.details).toMatchObject({
    ...{ truncated: true, keptBytes: LIMIT, totalBytes: body.length },
  });
});
