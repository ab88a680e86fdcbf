import { type Execution, executionSchema } from "@yagate/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import { execute } from "../../../store/test/support/execute.ts";
import { completeConfig } from "../../src/config/gateway-config.ts";
import { migrateDatabase } from "../../src/gateway.ts";
import { expectStatus, makeAgent, problemOf } from "./support/agents.ts";
import { startWorld } from "./support/world.ts";

const RECORDING = { modelTurns: [{ text: "It is packed." }] };

describe.skipIf(!hasPostgres())("with a server", () => {
  it("a recording is refused until the migration of PostgreSQL is finished, and accepted without a restart", {
    timeout: 60_000,
  }, async () => {
    const databaseUrl = await createMigratedDatabase();
    // As it is while gateways of an older version may still run.
    await execute(databaseUrl, "UPDATE yagate_migrations SET finished_at = NULL");
    const world = await startWorld({ databaseUrl });
    onTestFinished(() => world.stop());
    const agent = await makeAgent(world, { model: "scripted/turns" });
    const start = (body: object) =>
      world.call("executeAgent", { params: { id: agent.id }, headers: { prefer: "wait=30" }, body });

    const refused = await start({ input: "where?", recording: RECORDING });
    expect([refused.status, problemOf(refused)]).toMatchObject([
      503,
      {
        code: "UNAVAILABLE",
        detail: "recordings and replays need a finished migration of the database",
        hint: "stop the gateways of older versions and run yagate migrate --finish",
      },
    ]);
    // Other executions run as before.
    const live = await start({ input: "where?", script: { turns: [{ text: "live" }] } });
    expect(executionOf(live)).toMatchObject({ status: "completed", output: { text: "live" } });

    await migrateDatabase(completeConfig({ databaseUrl, apiKey: world.key }), { isLast: true });
    await expect.poll(async () => (await start({ input: "where?", recording: RECORDING })).status).toBe(201);
    const recorded = await start({ input: "where?", recording: RECORDING });
    expect(executionOf(recorded)).toMatchObject({ mode: "recorded", output: { text: "It is packed." } });
  });
});

function executionOf(response: Parameters<typeof expectStatus>[0]): Execution {
  return executionSchema.parse(expectStatus(response, 201));
}
