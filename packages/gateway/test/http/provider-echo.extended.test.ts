import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Execution } from "@yagate/protocol";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import { execute, expectStatus, makeAgent, start } from "./support/agents.ts";
import { ECHO_PLACES, echoModel, KEY_FORMS, type KeyForm, startEchoingProvider } from "./support/echoing-provider.ts";
import { type ForkedGateway, forkGateway } from "./support/forked-gateway.ts";

const FORMS = Object.keys(KEY_FORMS).filter((form): form is KeyForm => form in KEY_FORMS);
/** What of a key may be left over by chance. */
const LEFTOVER_CHARACTERS = 9;

/** The pieces of a key, in every form, of which none may be found anywhere. */
function tracesOf(key: string): ReadonlyMap<string, string> {
  const traces = new Map<string, string>();
  for (const form of FORMS) {
    // In the middle of base64 the pieces are the same wherever it stands.
    const whole = KEY_FORMS[form](key);
    const size = LEFTOVER_CHARACTERS * Math.max(1, Math.round(whole.length / key.length));
    for (const at of [Math.floor(whole.length / 3), Math.floor(whole.length / 2)]) {
      traces.set(`${form} from ${at}`, whole.slice(at, at + size));
    }
    traces.set(form, whole);
  }
  return traces;
}

function expectNoTrace(places: Readonly<Record<string, string>>, keys: readonly string[]): void {
  for (const [place, text] of Object.entries(places)) {
    const found = keys.flatMap((key) => [...tracesOf(key)].filter(([, trace]) => text.includes(trace)));
    expect({ place, found: found.map(([name]) => name) }).toEqual({ place, found: [] });
  }
}

async function readTables(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = await client.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
    const names = z.array(z.object({ name: z.string() })).parse(tables.rows);
    const rows: unknown[] = [];
    for (const { name } of names) rows.push((await client.query(`SELECT * FROM "${name}"`)).rows);
    const asText = (_key: string, value: unknown) =>
      z.object({ type: z.literal("Buffer"), data: z.array(z.number()) }).safeParse(value).success
        ? Buffer.from(z.object({ data: z.array(z.number()) }).parse(value).data).toString("latin1")
        : value;
    // Quotes and backslashes as they are stored.
    return rows.map((one) => JSON.stringify(one, asText).replaceAll("\\\\", "\\")).join("\n");
  } finally {
    await client.end();
  }
}

async function readFiles(folder: string): Promise<string> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  return (await Promise.all(files.map(({ name }) => readFile(join(folder, name), "latin1")))).join("\n");
}

/** All that the API tells of an execution. */
async function toldOf({ api }: ForkedGateway, { id }: Execution): Promise<string> {
  const params = { id };
  const receipt = await api.call("getReceipt", { params });
  const told = [
    expectStatus(await api.call("getExecution", { params }), 200),
    await (await api.open("followExecution", { params })).text(),
    await (await api.open("getExecution", { params })).text(),
    expectStatus(await api.call("listToolCalls", { params }), 200),
    expectStatus(receipt, 200),
  ];
  return told.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
}

/** Runs one execution with somebody listening, so that the turn is streamed. */
async function follow({ api }: ForkedGateway, agentId: string): Promise<string> {
  const { id } = await start(api, agentId, { input: "hello" });
  return (await api.open("followExecution", { params: { id } })).text();
}

function describeEchoes(store: string, variablesOf: () => Promise<Record<string, string>>): void {
  it(`a provider that echoes its key leaves no trace of it, ${store}`, { timeout: 120_000 }, async () => {
    const baseUrl = await startEchoingProvider();
    const keys = {
      operator: `sk-${randomBytes(24).toString("base64url")}`,
      tenant: randomBytes(30).toString("base64"),
    };
    const variables = await variablesOf();
    const gateway = await forkGateway({
      ...variables,
      YAGATE_ALLOW_CIDRS: "127.0.0.0/8",
      YAGATE_PROVIDERS: `echo=${baseUrl},own=${baseUrl}`,
      ECHO_API_KEY: keys.operator,
    });
    const { api } = gateway;
    expectStatus(await api.call("putSecret", { params: { name: "OWN_KEY" }, body: { value: keys.tenant } }), 200);
    const provider = { apiKey: "workspace-secret://OWN_KEY" };
    expectStatus(await api.call("putProvider", { params: { name: "own" }, body: provider }), 200);
    const told: string[] = [];
    const refusals: string[] = [];
    for (const place of ECHO_PLACES) {
      for (const form of FORMS) {
        for (const name of ["echo", "own"]) {
          const { id } = await makeAgent(api, {
            model: `${name}/${echoModel(place, form)}`,
            tools: [{ builtin: "calculator" }],
          });
          const execution = await execute(api, id, { input: "hello" });
          if (place === "answer")
            expect(execution.output?.text).toMatch(/^you sent .*\*\*\*(?:ECHO_API|OWN)_KEY\*\*\*/);
          if (place === "refusal") refusals.push(execution.error?.message ?? "no error");
          told.push(await toldOf(gateway, execution), await follow(gateway, id));
        }
      }
    }
    const metrics = await (await api.open("getMetrics")).text();
    const log = await gateway.stop();
    const databaseUrl = variables["DATABASE_URL"];
    const stored = databaseUrl === undefined ? await readFiles(gateway.dataDir) : await readTables(databaseUrl);
    expectNoTrace({ told: told.join("\n"), metrics, log, stored }, Object.values(keys));
    for (const message of refusals) expect(message).toMatch(/no to x-key: \S*\[redacted:(?:ECHO_API|OWN)_KEY\]/);
    expect(refusals).toHaveLength(2 * FORMS.length);
    expect(stored).toContain("[redacted:ECHO_API_KEY]");
  });
}

describe("the key of a model provider", () => {
  describeEchoes("on SQLite", async () => ({}));

  describe.skipIf(!hasPostgres())("with a PostgreSQL", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.stop());
    describeEchoes("on PostgreSQL", async () => ({ DATABASE_URL: await server.createDatabase() }));
  });
});
