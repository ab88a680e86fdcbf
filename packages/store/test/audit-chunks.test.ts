import { afterAll, beforeAll, expect, it } from "vitest";
import type { Store } from "../src/port.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import type { AuditRow } from "../src/tables/audit.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "./support/temporary-directory.ts";

/** More than two reads look at. */
const ENTRIES = 5_000;
const RARE_EVERY = 1_600;

let directory: TemporaryDirectory;
let store: Store;
beforeAll(async () => {
  directory = await makeTemporaryDirectory();
  store = await openSqliteStore({ dataDir: directory.path });
  await Promise.all(Array.from({ length: ENTRIES }, (_, index) => store.audit.append(rowOf(index))));
});
afterAll(async () => {
  await store.close();
  await directory.remove();
});

function rowOf(index: number): AuditRow {
  const id = `aud_${String(index).padStart(6, "0")}`;
  const action = index % RARE_EVERY === 0 ? "rare" : "usual";
  const resource = { resourceType: "agent", resourceId: "agt_1", keyId: null };
  // Ten entries have the same moment.
  return { ...{ id, workspaceId: "ws_a", at: Math.floor(index / 10), action }, ...resource, entry: `{"id":"${id}"}` };
}

/** How often others had their turn meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let sequence = 0;
  let next = setImmediate(function count() {
    sequence += 1;
    next = setImmediate(count);
  });
  await work;
  clearImmediate(next);
  return sequence;
}

it("finds rare entries in a long log, page by page", async () => {
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Awaited<ReturnType<Store["audit"]["list"]>> = await store.audit.list(
      { workspaceId: "ws_a", action: "rare" },
      { limit: 1, cursor },
    );
    found.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(found).toEqual(["aud_004800", "aud_003200", "aud_001600", "aud_000000"]);
});

it("keeps to its range while it looks for what is rare", async () => {
  const range = { workspaceId: "ws_a", action: "rare", since: 160, until: 480 };
  const { data } = await store.audit.list(range, { limit: 10 });
  expect(data.map(({ id }) => id)).toEqual(["aud_003200", "aud_001600"]);
});

it("lets others have their turn while it looks for what is not there", async () => {
  const looking = store.audit.list({ workspaceId: "ws_a", action: "none" }, { limit: 10 });
  expect(await turnsDuring(looking)).toBeGreaterThanOrEqual(2);
  expect(await looking).toEqual({ data: [], nextCursor: null });
});

it("looks once a turn, however many look for what is not there", async () => {
  const looking = Promise.all(
    Array.from({ length: 10 }, () => store.audit.list({ workspaceId: "ws_a", action: "none" }, { limit: 10 })),
  );
  expect(await turnsDuring(looking)).toBeGreaterThanOrEqual(20);
});

it("stops looking for a reader that has gone, and does not call that the end", async () => {
  const rare = { workspaceId: "ws_a", action: "rare" };
  const { data, nextCursor } = await store.audit.list(rare, { limit: 10, signal: AbortSignal.abort() });
  expect(data).toHaveLength(2);
  const rest = await store.audit.list(rare, { limit: 10, cursor: nextCursor ?? "" });
  expect([...data, ...rest.data].map(({ id }) => id)).toEqual(["aud_004800", "aud_003200", "aud_001600", "aud_000000"]);
});
