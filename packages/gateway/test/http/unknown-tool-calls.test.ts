import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { problemOf } from "./support/agents.ts";
import { startWorld, type World } from "./support/world.ts";

const routes = [
  ["getToolCall", {}],
  ["answerFallback", { body: { decline: true } }],
  ["answerFallback", { body: { result: 1 } }],
  ["getAttempt", {}],
  ["listToolCalls", {}],
] as const;
const ids = [
  "tc_01jd3v0c8me9kxt3f6r2p5q7sa",
  "tc_",
  "TC_01jd3v0c8me9kxt3f6r2p5q7sa",
  "att_01jd3v0c8me9kxt3f6r2p5q7sa",
  "exec_01jd3v0c8me9kxt3f6r2p5q7sa",
  "\u0000",
  "tc_\ud83d\ude00",
  "%",
  "x".repeat(2_000),
];

function describeUnknown(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`a tool call that does not exist ${place}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await startWorld(await configure());
    });
    afterAll(() => world?.stop());

    it.each(routes)("is 404, whatever its id: %s %j", async (route, call) => {
      for (const id of ids) {
        const answer = await world.call(route, { params: { id }, ...call });
        expect({ id, ...problemOf(answer) }).toMatchObject({ id, status: 404, code: "NOT_FOUND" });
      }
    });
  });
}

describeUnknown("on SQLite", async () => ({}));

describe.skipIf(!hasPostgres())("with a server", () => {
  describeUnknown("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));
});
