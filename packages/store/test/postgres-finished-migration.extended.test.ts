import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/services/postgres.ts";
import { appendTo } from "../src/events/event-store.ts";
import type { EventEntry, Store } from "../src/port.ts";
import { migrate } from "../src/postgres/migrations/migrate.ts";
import { openPostgresStore } from "../src/postgres.ts";
import { execute } from "./support/execute.ts";
import { appendOf, entryOf, executionOf, NOW, summaryOf } from "./support/fixtures.ts";

const PATIENTLY = { timeout: 10_000, interval: 250 } as const;
const SAID = "x".repeat(100_000);

interface Columns {
  readonly request: string;
  readonly summary: string;
  readonly entries: string;
  readonly texts: string;
}

describe.skipIf(!hasPostgres())("a database that older replicas may share", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  const entryFor = (id: string): EventEntry => ({
    ...entryOf(id, 1, { type: "model.responded", text: SAID }),
    assistantMessage: [{ type: "text", text: SAID }],
  });

  async function open(databaseUrl: string): Promise<Store> {
    const store = await openPostgresStore({ databaseUrl, connections: 8, now: () => NOW });
    onTestFinished(() => store.close());
    return store;
  }

  async function write({ eventStore }: Store): Promise<string> {
    const { execution } = await eventStore.create(executionOf("ws_a", { request: { input: SAID } }));
    const summary = { ...summaryOf("completed"), output: { text: SAID } };
    await appendTo(eventStore, { ...appendOf(execution.id, 0), entries: [entryFor(execution.id)], summary });
    return execution.id;
  }

  async function columnsOf(databaseUrl: string, id: string): Promise<Columns | undefined> {
    const [row] = await execute<Columns>(
      databaseUrl,
      `SELECT r.request, e.summary, a.entries, (SELECT count(*) FROM execution_texts t WHERE t.execution_id = e.id) AS texts
       FROM executions e JOIN execution_requests r ON r.execution_id = e.id JOIN appends a ON a.execution_id = e.id
       WHERE e.id = $1`,
      [id],
    );
    return row;
  }

  async function expectRead({ eventStore }: Store, id: string): Promise<void> {
    expect(await eventStore.entries(id, 0)).toEqual([entryFor(id)]);
    expect(await eventStore.findAny(id)).toMatchObject({ request: { input: SAID }, output: { text: SAID } });
  }

  const OLD_FORM = {
    request: JSON.stringify({ input: SAID }),
    summary: expect.stringContaining(`"output":{"text":"${SAID}"}`),
    texts: "0",
  };
  const NEW_FORM = { request: expect.stringMatching(/^~1/), summary: expect.stringMatching(/^~1/), texts: "1" };

  it("gets nothing that they could not read before the migration is finished; then each replica goes over", async () => {
    const databaseUrl = await server.createDatabase();
    await migrate(databaseUrl);
    await execute(databaseUrl, "UPDATE yagate_migrations SET finished_at = NULL");
    const [one, two] = [await open(databaseUrl), await open(databaseUrl)];
    const old = await write(one);
    expect(await columnsOf(databaseUrl, old)).toMatchObject({ ...OLD_FORM, entries: JSON.stringify([entryFor(old)]) });
    await migrate(databaseUrl);
    expect(await columnsOf(databaseUrl, await write(await open(databaseUrl)))).toMatchObject(OLD_FORM);

    expect(await migrate(databaseUrl, { isLast: true })).toMatchObject({ applied: 0 });
    await migrate(databaseUrl, { isLast: true });
    const ids = [old];
    for (const store of [one, two]) {
      await expect
        .poll(async () => {
          const id = await write(store);
          ids.push(id);
          return columnsOf(databaseUrl, id);
        }, PATIENTLY)
        .toMatchObject(NEW_FORM);
    }
    for (const store of [one, two]) for (const id of ids) await expectRead(store, id);
  });

  it("of this version stores texts separately at once, and other replicas receive them complete", async () => {
    const databaseUrl = await server.createDatabase();
    const [here, there] = [await open(databaseUrl), await open(databaseUrl)];
    const { execution } = await here.eventStore.create(executionOf("ws_a", { request: { input: SAID } }));
    const { id } = execution;
    const heard: unknown[] = [];
    there.eventStore.subscribe(id, (entries, { output }) => heard.push(entries, output));
    const summary = { ...summaryOf("completed"), output: { text: SAID } };
    await appendTo(here.eventStore, { ...appendOf(id, 0), entries: [entryFor(id)], summary });
    await expect.poll(() => heard, PATIENTLY).toEqual([[entryFor(id)], { text: SAID }]);
    expect(await columnsOf(databaseUrl, id)).toMatchObject({ ...NEW_FORM, entries: expect.stringMatching(/^~1/) });
  });
});
