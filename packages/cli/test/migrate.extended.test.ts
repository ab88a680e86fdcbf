import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/services/postgres.ts";
import { KEYS, runCommand, startListening } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";

describe.skipIf(!hasPostgres())("a gateway on PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it("makes no master key of its own for a database that was sealed with another", async () => {
    const databaseUrl = await server.createDatabase();
    const env = { ...KEYS, DATABASE_URL: databaseUrl, YAGATE_PORT: "0" };
    const { stop } = await startListening(["serve"], { cwd: await makeFolder(), env });
    expect(await stop()).toBe(0);
    const cwd = await makeFolder();
    const { status, output } = await runCommand(["dev", "--data-dir", "new"], {
      cwd,
      env: { DATABASE_URL: databaseUrl, YAGATE_PORT: "0" },
    });
    expect([status, output]).toEqual([2, expect.stringContaining("master key that encrypted the data is missing")]);
    expect(await readdir(cwd)).toEqual([]);
  });

  it("starts on a database that was migrated apart, and says nowhere how to get into it", async () => {
    const cwd = await makeFolder();
    const databaseUrl = await server.createDatabase();
    const { host, pathname, password } = new URL(databaseUrl);
    const place = `PostgreSQL at ${host}${pathname}`;
    const env = { ...KEYS, DATABASE_URL: databaseUrl, YAGATE_MIGRATIONS: "check", YAGATE_PORT: "0" };

    const early = await runCommand(["serve"], { cwd, env });
    expect(early).toMatchObject({ status: 2, output: expect.stringContaining('run "yagate migrate" first') });
    const first = await runCommand(["migrate"], { cwd, env });
    expect(first).toMatchObject({
      status: 0,
      output: expect.stringMatching(/has schema (\d+): \1 steps were applied/),
    });
    const second = await runCommand(["migrate"], { cwd, env });
    expect(second).toMatchObject({ status: 0, output: expect.stringContaining("it is up to date") });

    expect(second.output).not.toContain("finished");
    const last = await runCommand(["migrate", "--finish"], { cwd, env });
    expect(last).toMatchObject({ status: 0, output: expect.stringContaining("the migration is finished") });

    const { url, output, stop } = await startListening(["serve"], { cwd, env });
    expect(output()).toContain(`(data in ${place})`);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await server.stop();
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 10_000 }).toBe(503);
    const answer = await fetch(`${url}/v1/agents`, { headers: { authorization: `Bearer ${KEYS.YAGATE_API_KEY}` } });
    expect(answer.status).toBe(503);
    expect(await stop()).toBe(0);
    for (const { output: said } of [early, first, second, last, { output: output() }])
      expect(said).not.toContain(password);
  });

  it("needs to be told which", async () => {
    const { status, output } = await runCommand(["migrate"], { cwd: await makeFolder() });
    expect([status, output]).toEqual([2, expect.stringContaining("DATABASE_URL: it is missing")]);
  });
});
