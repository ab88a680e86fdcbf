import { appendTo } from "@yagate/store/events/event-store";
import { openStore } from "@yagate/store/open-store";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/services/postgres.ts";
import { appendOf, entryOf, executionOf, NOW } from "../../store/test/support/fixtures.ts";
import { createFollower } from "../src/follower.ts";

/** Almost as long as a handler's URL can be. Percent-encoded, it has nine times as many characters. */
const path = Array.from({ length: 2_000 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)));
const LONG_URL = new URL(`https://shop.example/${path.join("")}`).href;

describe.skipIf(!hasPostgres())("read models in PostgreSQL", { timeout: 60_000 }, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it("contain the calls of a handler with a long URL", async () => {
    const store = await openStore({ dataDir: "", databaseUrl: await server.createDatabase() });
    onTestFinished(() => store.close());
    const { id } = (await store.eventStore.create(executionOf("ws_a"))).execution;
    const attempt = { toolCallId: "tc_1", attemptId: "att_1", number: 1 };
    const entries = [
      entryOf(id, 1, { type: "tool_call.requested", toolCallId: "tc_1", name: "work", kind: "handler" }),
      entryOf(id, 2, { type: "attempt.started", ...attempt, url: LONG_URL }),
      entryOf(id, 3, { type: "attempt.finished", ...attempt, durationMs: 5 }),
      entryOf(id, 4, { type: "execution.completed" }),
    ];
    await appendTo(store.eventStore, { ...appendOf(id, 0, { status: "completed" }), entries });
    const follower = createFollower({
      ...{ store: store.readModels, owner: "one", executionRetentionDays: undefined, now: Date.now },
      onError: (error) => expect.fail(`${error}`),
    });
    onTestFinished(() => follower.stop());
    await follower.look();
    const points = await store.readModels.points("ws_a", { step: 3_600, from: NOW, until: NOW + 1 }, [
      "executions",
      "handlerDuration",
    ]);
    expect(points.map(({ label }) => label)).toEqual(["completed", "(other)"]);
  });
});
