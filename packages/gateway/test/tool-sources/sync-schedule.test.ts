import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@yagate/lib/ids/ids";
import { createToolSourceSchema, YagateError } from "@yagate/protocol";
import { openStore } from "@yagate/store/open-store";
import type { Store, ToolSourceRow } from "@yagate/store/port";
import { createChangeRecorder, SCHEDULE } from "@yagate/store/tables/change-recorder";
import type { RawTool } from "@yagate/tool-sources/port";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMigratedDatabase, placeMigratedJournal } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import type { FetchDefinitions } from "../../src/tool-sources/port.ts";
import { createReadSource } from "../../src/tool-sources/read-source.ts";
import { createdSettings } from "../../src/tool-sources/source-settings.ts";
import { createSourceSync } from "../../src/tool-sources/source-sync.ts";
import { createSyncSchedule } from "../../src/tool-sources/sync-schedule.ts";

const START = Date.parse("2026-11-23T10:00:00.000Z");
const WORKSPACE = "ws_a";
const rawTool = (name: string, description = "Runs."): RawTool => ({
  name,
  description,
  parameters: { type: "object" },
});

function describeSchedule(place: string, open: (dataDir: string) => Promise<Store>): void {
  describe(`the schedule of syncs ${place}`, () => {
    let dataDir: string;
    let store: Store;
    let now = START;
    let published: () => Promise<readonly RawTool[]>;
    const errors: unknown[] = [];
    const results: string[] = [];
    const read: string[] = [];
    const recorder = createChangeRecorder(SCHEDULE, { now: () => now, newId });

    /** A replica: it shares the store with the others. */
    function replica() {
      const handler: FetchDefinitions<"handler"> = async ({ settings: { url } }) => {
        read.push(url);
        return { definitions: await published() };
      };
      const { toolSources } = store;
      const sync = createSourceSync({
        ...{
          store: toolSources,
          readSource: createReadSource({
            ...{ handler, mcp: () => expect.fail("no MCP server"), openapi: () => expect.fail("no document") },
          }),
          maxTools: 99,
          now: () => now,
          random: () => 0.5,
        },
        onSynced: (result) => results.push(result),
      });
      const onError = (error: unknown) => errors.push(error);
      const endWithdrawnCalls = () => Promise.resolve();
      const options = { store: toolSources, sync, endWithdrawnCalls, recorder, now: () => now, onError };
      return { sync, schedule: createSyncSchedule(options) };
    }
    const look = async (...schedules: readonly ReturnType<typeof replica>[]) => {
      const started = await Promise.all(schedules.map(({ schedule }) => schedule.look()));
      await Promise.all(started.flat());
      return started.flat().length;
    };
    let count = 0;
    const make = async (rest: Partial<ToolSourceRow> = {}, settings: object = {}): Promise<ToolSourceRow> => {
      const name = `source_${++count}`;
      const body = { name, kind: "handler", url: `https://orders.example.com/${name}`, ...settings };
      const { settings: parsed } = createdSettings(createToolSourceSchema.parse(body));
      const source: ToolSourceRow = {
        ...{ id: newId("toolSource"), workspaceId: WORKSPACE, name, kind: parsed.kind, settings: parsed, revision: 1 },
        ...{ status: "ready", statusAt: START, reason: null, generation: 0, createdAt: START, updatedAt: START },
        skippedTools: [],
        ...{ nextSyncAt: now, syncFailures: 0, syncedAt: null, reads: 0, storedRead: 0, ...rest },
      };
      await store.toolSources.create(source, 50);
      return source;
    };
    const find = async ({ id }: ToolSourceRow) => (await store.toolSources.find(WORKSPACE, id)) ?? expect.fail("gone");

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), "yagate-schedule-"));
      store = await open(dataDir);
    }, 60_000);
    afterAll(async () => {
      await store?.close();
      await rm(dataDir, { recursive: true, force: true });
    });
    beforeEach(async () => {
      for (const { id } of (await store.toolSources.list(WORKSPACE, { limit: 50 })).data) {
        await store.toolSources.delete(WORKSPACE, id, { at: now, isForced: true });
      }
      published = async () => [rawTool("lookup")];
      for (const list of [errors, results, read]) list.length = 0;
    });

    it("syncs each source when it is due, in one replica, and then after its interval", async () => {
      const [first, second] = [await make(), await make({}, { syncIntervalSeconds: 60 })];
      const later = await make({ nextSyncAt: now + 1 });
      const replicas = [replica(), replica(), replica()];
      expect(await look(...replicas)).toBe(2);
      expect(read.toSorted()).toEqual([first.settings.url, second.settings.url].toSorted());
      expect(await find(first)).toMatchObject({
        ...{ status: "changed", statusAt: now, syncedAt: now, nextSyncAt: now + 900_000, generation: 1 },
      });
      expect(await find(second)).toMatchObject({ nextSyncAt: now + 60_000 });
      expect(await find(later)).toMatchObject({ status: "ready", generation: 0 });
      expect(await look(...replicas)).toBe(0);
      now += 60_000;
      expect(await look(...replicas)).toBe(2);
      expect(results).toEqual(["changed", "changed", "changed", "changed"]);
    });

    it.each<["unreachable" | "unauthorized", "SOURCE_UNREACHABLE" | "SOURCE_UNAUTHORIZED"]>([
      ["unreachable", "SOURCE_UNREACHABLE"],
      ["unauthorized", "SOURCE_UNAUTHORIZED"],
    ])("waits longer after each failure while a source is %s", async (status, code) => {
      const source = await make();
      const one = replica();
      published = () => Promise.reject(new YagateError(code, "no"));
      for (const waitMs of [60_000, 120_000, 240_000]) {
        expect(await look(one)).toBe(1);
        expect(await find(source)).toMatchObject({ status, syncedAt: null, nextSyncAt: now + waitMs });
        now += waitMs;
      }
      published = async () => [];
      await look(one);
      const recovered = { status: "ready", reason: null, syncFailures: 0, syncedAt: now, nextSyncAt: now + 900_000 };
      expect(await find(source)).toMatchObject(recovered);
      expect(results).toEqual([status, status, status, "ready"]);
      expect(errors).toEqual([]);
    });

    it("leaves the status after a failure of the gateway, and tries again after the lease", async () => {
      const source = await make();
      published = () => Promise.reject(new YagateError("UNAVAILABLE", "no store"));
      await look(replica());
      expect(await find(source)).toMatchObject({ status: "ready", reason: null, nextSyncAt: now + 65_000 });
      expect(results).toEqual(["failed"]);
      expect(errors).toMatchObject([{ code: "UNAVAILABLE" }]);
      now += 65_000;
      published = async () => [];
      expect(await look(replica())).toBe(1);
    });

    it("syncs a source again if its handler did not know a tool during the sync, a minute after its start", async () => {
      const source = await make();
      const [entered, held] = [Promise.withResolvers<void>(), Promise.withResolvers<readonly RawTool[]>()];
      published = () => {
        entered.resolve();
        return held.promise;
      };
      const one = replica();
      const began = now;
      const running = look(one);
      await entered.promise;
      now += 5_000;
      await store.toolSources.requestSync(source.id, { now, spacingMs: 60_000 });
      held.resolve([rawTool("lookup")]);
      await running;
      expect(await find(source)).toMatchObject({ syncedAt: now, nextSyncAt: began + 60_000 });
      published = async () => [rawTool("lookup"), rawTool("new")];
      now = began + 60_000;
      expect(await look(one)).toBe(1);
      expect(await find(source)).toMatchObject({ generation: 2, nextSyncAt: now + 900_000 });
    });

    it("takes over a source whose replica ended during its sync", async () => {
      const source = await make();
      await store.toolSources.claimDue({ now, until: now + 60_000, limit: 1 });
      expect(await look(replica())).toBe(0);
      now += 60_000;
      expect(await look(replica())).toBe(1);
      expect(await find(source)).toMatchObject({ status: "changed" });
    });

    it("never stores what an earlier read found over what a later one found", async () => {
      const source = await make();
      const { sync } = replica();
      const run = () => sync.run(WORKSPACE, source.id, { recorder, signal: new AbortController().signal });
      const held = Promise.withResolvers<readonly RawTool[]>();
      const [entered, early] = [Promise.withResolvers<void>(), () => held.promise];
      published = () => {
        entered.resolve();
        return early();
      };
      const slow = run();
      await entered.promise;
      published = async () => [rawTool("lookup", "New.")];
      const after = await run();
      held.resolve([rawTool("lookup", "Old.")]);
      expect(await slow).toEqual(after);
      const [stored] = await store.toolSources.tools(source.id);
      expect(stored?.published?.content).toContain("New.");
    });

    it("records the tools that it accepts as a change by the schedule", async () => {
      const source = await make({}, { onChange: "accept" });
      await look(replica());
      const { data } = await store.audit.list({ workspaceId: WORKSPACE, resourceId: source.id }, { limit: 9 });
      expect(data).toMatchObject([
        { action: "tool_source.accepted", actor: { type: "schedule" }, address: null, requestId: null },
      ]);
    });

    it("looks by itself until it is stopped", async () => {
      const source = await make();
      const { schedule } = replica();
      schedule.start();
      await expect.poll(async () => (await find(source)).status).toBe("changed");
      await schedule.stop();
      expect(await schedule.look()).toEqual([]);
    });

    it("runs at most four syncs at a time, and aborts them when it stops", async () => {
      for (let made = 0; made < 5; made += 1) await make();
      const one = replica();
      const held = Promise.withResolvers<readonly RawTool[]>();
      published = () => held.promise;
      const started = await one.schedule.look();
      expect(started).toHaveLength(4);
      expect(await one.schedule.look()).toEqual([]);
      const stopped = one.schedule.stop();
      held.reject(new YagateError("SOURCE_UNREACHABLE", "aborted"));
      await stopped;
      const { data } = await store.toolSources.list(WORKSPACE, { limit: 9 });
      expect(data.map(({ status }) => status)).toEqual(["ready", "ready", "ready", "ready", "ready"]);
      expect(await one.schedule.look()).toEqual([]);
      expect(errors).toEqual([]);
    });
  });
}

describeSchedule("on SQLite", async (dataDir) => {
  await placeMigratedJournal(dataDir);
  return openStore({ dataDir, databaseUrl: undefined });
});

describe.skipIf(!hasPostgres())("with a server", () => {
  describeSchedule("on PostgreSQL", async (dataDir) =>
    openStore({ dataDir, databaseUrl: await createMigratedDatabase() }),
  );
});
