import { YagateError } from "@yagate/protocol";
import type { ToolSourceRow } from "@yagate/store/port";
import { createChangeRecorder, SCHEDULE } from "@yagate/store/tables/change-recorder";
import { expect, it } from "vitest";
import type { ToolSourceReport } from "../../src/config/development-config.ts";
import { createSourceWatch } from "../../src/tool-sources/source-watch.ts";

const URL = "http://127.0.0.1:3000/tools";
const broken = () => new YagateError("MANIFEST_INVALID", "the published tools: no");

/** A watch over one source, whose reads and syncs a test decides. */
function watchOne() {
  const world = { read: async () => "First.", sync: async () => {}, syncs: 0 };
  const reports: ToolSourceReport[] = [];
  const settings = {
    ...{ kind: "handler" as const, url: URL, signingSecret: "default", include: null, exclude: [], defaults: {} },
    ...{ overrides: {}, onChange: "accept" as const, syncIntervalSeconds: 900 },
  };
  const source: ToolSourceRow = {
    ...{ id: "src_a", workspaceId: "ws_a", name: "orders", kind: "handler", settings, revision: 1, status: "ready" },
    ...{ statusAt: 0, reason: null, generation: 0, createdAt: 0, updatedAt: 0, skippedTools: [], nextSyncAt: null },
    ...{ syncFailures: 0, syncedAt: null, reads: 0, storedRead: 0 },
  };
  const watch = createSourceWatch({
    store: { list: async () => ({ data: [source], nextCursor: null }) },
    describeHandler: async () => {
      const description = await world.read();
      return { definitions: [{ name: "lookup", description, parameters: {} }] };
    },
    sync: {
      async run() {
        world.syncs += 1;
        await world.sync();
        return source;
      },
    },
    recorder: createChangeRecorder(SCHEDULE, { now: () => 0, newId: () => "aud_a" }),
    ...{ workspaceId: "ws_a", isWatched: (url) => url === URL, now: () => 0 },
    onReport: (report) => reports.push(report),
    onError: (error) => expect.fail(String(error)),
  });
  const look = async (count: number) => {
    for (let looks = 0; looks < count; looks += 1) await watch.look();
  };
  return { world, look, reports };
}

it("a source is synced when what it publishes is not the same as at the previous look", async () => {
  const { world, look, reports } = watchOne();
  await look(3);
  expect(world.syncs).toBe(1);
  world.read = async () => "Second.";
  await look(2);
  expect([world.syncs, reports]).toEqual([2, []]);
});

it("a handler is reported as down after three failed looks, once", async () => {
  const { world, look, reports } = watchOne();
  await look(1);
  world.read = () => Promise.reject(broken());
  await look(2);
  expect(reports).toEqual([]);
  await look(4);
  expect(reports).toMatchObject([{ type: "failed", code: "MANIFEST_INVALID" }]);
  world.read = async () => "First.";
  await look(1);
  expect(world.syncs).toBe(2);
});

it("a handler that changes between a look and its sync is reported once", async () => {
  const { world, look, reports } = watchOne();
  world.sync = () => {
    world.read = () => Promise.reject(broken());
    return Promise.reject(broken());
  };
  await look(6);
  expect(reports).toMatchObject([{ type: "failed", code: "MANIFEST_INVALID" }]);
});

it("a sync that fails is not repeated while the source publishes the same", async () => {
  const { world, look, reports } = watchOne();
  world.sync = () => Promise.reject(broken());
  await look(4);
  expect([world.syncs, reports.length]).toEqual([1, 1]);
});
