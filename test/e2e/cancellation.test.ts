import type { Response } from "express";
import { describe, expect, it } from "vitest";
import { calls, startRawService, toolAt } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

describe("a cancelled execution", () => {
  it("aborts reads, awaits writes and records them, and starts nothing more", async () => {
    const world = await openWorld();
    const readAborted = Promise.withResolvers<void>();
    const reading = Promise.withResolvers<void>();
    const writing = Promise.withResolvers<Response>();
    const read = await startRawService((response) => {
      response.on("close", () => readAborted.resolve());
      reading.resolve();
    });
    const write = await startRawService((response) => writing.resolve(response));
    const agent = await world.createAgent([
      toolAt(read.url, { name: "read", sideEffect: "read_only", retries: 3 }),
      toolAt(write.url, { name: "write", sideEffect: "non_idempotent_write" }),
    ]);
    const script = { turns: [calls("read", "write"), calls("read"), { text: "never said" }] };
    const { id } = await world.client.agents.start(agent.id, { input: "go", script });
    await reading.promise;
    const writeResponse = await writing.promise;

    expect(await world.client.executions.cancel(id)).toMatchObject({ id });
    await readAborted.promise;
    expect(await world.client.executions.cancel(id)).toMatchObject({ finishedAt: null });
    writeResponse.json({ result: "written" });

    const execution = await world.client.executions.events(id).result();
    expect(execution).toMatchObject({ status: "cancelled", stopReason: "cancelled", output: null });
    expect(execution.toolCalls).toMatchObject([
      { name: "read", status: "cancelled", error: { code: "CANCELLED" } },
      { name: "write", status: "completed", result: "written" },
    ]);
    expect([read.calls.length, write.calls.length]).toEqual([1, 1]);
    // Too late to change anything.
    expect(await world.client.executions.cancel(id)).toMatchObject({
      status: "cancelled",
      finishedAt: execution.finishedAt,
    });
  });

  it("does not make the retry that it was waiting for", async () => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService(
      (response) => void response.status(503).set("Retry-After", "60").end(),
    );
    const agent = await world.createAgent([toolAt(url, { retries: 1 })]);
    const script = { turns: [calls("lookup_order"), { text: "never said" }] };
    const stream = world.client.agents.stream(agent.id, { input: "go", script });
    for await (const event of stream) {
      if (event.type === "execution.waiting") await world.client.executions.cancel(event.executionId);
    }
    expect(await stream.result()).toMatchObject({
      status: "cancelled",
      toolCalls: [{ status: "cancelled", attempts: [{ number: 1 }] }],
    });
    expect(arrived).toHaveLength(1);
  });

  it("does not hold a failed call for its caller any longer", async () => {
    const world = await openWorld();
    const { url } = await startRawService((response) => void response.status(400).end());
    const agent = await world.createAgent([toolAt(url)]);
    const script = { turns: [calls("lookup_order"), { text: "never said" }] };
    const { client } = world;
    let failures = 0;
    const listening = client.agents.execute(agent.id, {
      input: "go",
      script,
      async onToolError({ executionId }) {
        failures += 1;
        await client.executions.cancel(executionId);
        return undefined;
      },
    });
    expect(await listening).toMatchObject({ status: "cancelled", fallbackErrors: [] });
    expect(failures).toBe(1);
  });
});
