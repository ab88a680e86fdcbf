import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Response } from "express";
import { expect, it } from "vitest";
import { calls, startRawService, toolAt } from "./support/services.ts";
import { openWorld, type World } from "./support/world.ts";

/** Takes the journal's write lock with another program, as a backup tool might: every write fails until it is released. */
function lockJournal({ dataDir }: World): () => void {
  const database = new DatabaseSync(join(dataDir, "journal.db"));
  database.exec("BEGIN IMMEDIATE");
  return () => database.close();
}

it("a journal that takes no writes for a while: 503 for what must be written, and executions go on after it", async () => {
  const world = await openWorld();
  const arrived = Promise.withResolvers<Response>();
  const { url, calls: requests } = await startRawService((response) => arrived.resolve(response));
  const agent = await world.createAgent([toolAt(url, { sideEffect: "non_idempotent_write" })]);
  const request = { input: "go", script: { turns: [calls("lookup_order"), { text: "done" }] } };
  const running = world.client.agents.execute(agent.id, request);
  const handler = await arrived.promise;

  const release = lockJournal(world);
  handler.json({ result: "written" });
  const headers = { authorization: `Bearer ${world.apiKey}`, "content-type": "application/json" };
  const start = await fetch(`${world.url}/v1/agents/${agent.id}/executions`, {
    method: "POST",
    headers,
    body: JSON.stringify(request),
  });
  expect(start.status).toBe(503);
  expect(await start.json()).toMatchObject({ code: "UNAVAILABLE", detail: expect.stringContaining("lock") });
  expect((await fetch(`${world.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${world.url}/healthz`)).status).toBe(200);
  // What is only read is still answered.
  expect(await world.client.agents.get(agent.id)).toMatchObject({ id: agent.id });
  expect(await world.client.executions.list().toArray()).toMatchObject([{ status: "running" }]);

  release();
  expect(await running).toMatchObject({
    status: "completed",
    output: { text: "done" },
    toolCalls: [{ status: "completed", result: "written", attempts: [{ number: 1 }] }],
  });
  expect(requests).toHaveLength(1);
  expect((await fetch(`${world.url}/readyz`)).status).toBe(200);
  expect((await world.client.agents.start(agent.id, request)).status).toBe("queued");
});
