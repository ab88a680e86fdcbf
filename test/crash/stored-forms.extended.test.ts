import type { ToolCallback } from "@yagate/handler";
import { completeToolCall } from "@yagate/handler/callback";
import { generateSigningSecret } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { migrate } from "../../packages/store/src/postgres/migrations/migrate.ts";
import { execute } from "../../packages/store/test/support/execute.ts";
import { startDeferringService } from "../e2e/support/deferring-service.ts";
import { calls, toolAt } from "../e2e/support/services.ts";
import { createMigratedDatabase } from "../services/migrated-stores.ts";
import { hasPostgres } from "../services/postgres.ts";
import { followToEnd } from "./applicant.ts";
import { GatewayProcess } from "./gateway-process.ts";

const TURNS = [calls("lookup_order"), calls("lookup_order"), { text: "done" }];

/** Starts are sent so many at a time. */
const AT_ONCE = 25;

async function inBatches<Item>(items: readonly Item[], work: (item: Item, index: number) => Promise<void>) {
  for (let first = 0; first < items.length; first += AT_ONCE) {
    await Promise.all(items.slice(first, first + AT_ONCE).map((item, index) => work(item, first + index)));
  }
}

const WAITING = 1_000;

/** Which replica is killed: the first one was started again after the migration was finished. */
type Kill = readonly [name: string, replica: 0 | 1];
const KILLS: readonly Kill[] = [
  ["that went over to the new form", 0],
  ["that may still write the old one", 1],
];

// The migration is finished while executions wait for callbacks on two replicas, so both forms are written at once, and
// one of the replicas is killed.
describe.skipIf(!hasPostgres())(`${WAITING} executions that wait while the stored form changes`, () => {
  it.each(KILLS)(
    "end once each, and their receipts verify, after the replica %s was killed",
    { timeout: 600_000 },
    async (_name, killed) => {
      const databaseUrl = await createMigratedDatabase();
      await execute(databaseUrl, "UPDATE settings SET value = '1' WHERE name = 'stored_form.min_reader'");
      const signingSecret = generateSigningSecret();
      const prepare = () => GatewayProcess.prepare({ DATABASE_URL: databaseUrl, YAGATE_SIGNING_SECRET: signingSecret });
      const replicas = [await prepare(), await prepare()] as const;
      const [over, other] = replicas;
      await Promise.all(replicas.map((replica) => replica.start()));
      const service = await startDeferringService(signingSecret);
      const tool = toolAt(service.url, { async: true, sideEffect: "read_only" });
      const agent = await over.client.agents.create({ name: "Forms", model: "scripted/turns", tools: [tool] });
      const ids: string[] = [];
      await inBatches(Array.from({ length: WAITING }), async (_none, index) => {
        const { client } = index % 2 === 0 ? over : other;
        ids.push((await client.agents.start(agent.id, { input: "go", script: { turns: TURNS } })).id);
      });
      const first: ToolCallback[] = [];
      while (first.length < WAITING) first.push(await service.deferred());

      await migrate(databaseUrl, { isLast: true });
      // A new process writes the new form at once; the other one when it notices.
      await over.end("SIGTERM");
      await over.start();
      const survivor = killed === 0 ? other : over;
      const completed = new Set<string>();
      const complete = async ({ url, ...callback }: ToolCallback, result: number) => {
        const here = `${survivor.url}${new URL(url).pathname}`;
        await completeToolCall({ ...callback, url: here }, { result }, { secrets: signingSecret });
        completed.add(callback.toolCallId);
      };
      const half = WAITING / 2;
      await inBatches(first.slice(0, half), (callback) => complete(callback, 1));
      await (killed === 0 ? over : other).kill();
      await inBatches(first.slice(half), (callback) => complete(callback, 1));
      // The second call of each; one that was interrupted arrives twice.
      while (completed.size < 2 * WAITING) {
        const next = await service.deferred();
        if (!completed.has(next.toolCallId)) await complete(next, 2);
      }

      await inBatches(ids, async (id) => {
        const events = await followToEnd(survivor, id);
        const ends = events.filter(({ type }) => type === "tool_call.completed");
        expect(ends).toMatchObject([{ result: 1 }, { result: 2 }]);
        expect(events.filter(({ type }) => type === "tool_call.requested")).toHaveLength(2);
        expect(events.at(-1)).toMatchObject({ type: "execution.completed", output: { text: "done" } });
        expect(await survivor.client.executions.receipt(id)).toMatchObject({ verified: true, isFinal: true });
      });
      expect(new Set(ids).size).toBe(WAITING);
      const links = await execute<{ form: string; count: number }>(
        databaseUrl,
        "SELECT substr(link, 1, 1) AS form, count(*)::integer AS count FROM appends GROUP BY 1 ORDER BY 1",
      );
      expect(links.map(({ form }) => form)).toEqual(["1", "2"]);
      expect(survivor.defects).toEqual([]);
    },
  );
});
