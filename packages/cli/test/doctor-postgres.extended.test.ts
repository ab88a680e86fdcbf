import { createGateway, migrateDatabase } from "@yagate/gateway";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../test/services/free-port.ts";
import { hasPostgres, startPostgres } from "../../../test/services/postgres.ts";
import { makeFolder } from "./support/folder.ts";
import { runCheck } from "./support/run-check.ts";

const migrate = async (databaseUrl: string) => void (await migrateDatabase({ databaseUrl }));

async function databaseFinding(settings: Readonly<Record<string, string>>, check = "database") {
  const env = {
    ...{ YAGATE_API_KEY: "yk_8Zq2rW5tY7uI9oP1aS3dF6gH0jK4lXcV", YAGATE_DATA_DIR: await makeFolder() },
    YAGATE_MASTER_KEYS: `k1:${Buffer.from("w9#kQz!7rT2$mB5^xL8&vN1*cF4@hJ6%").toString("base64")}`,
    ...{ YAGATE_PORT: `${await freePort()}`, ...settings },
  };
  const { status, stdout } = await runCheck(["doctor", "--offline", "--json"], { env });
  const checks: readonly { check: string; status: string; message: string }[] = JSON.parse(stdout).checks;
  const found = checks.find((one) => one.check === check);
  return { status, found: `${found?.status}: ${found?.message}` };
}

describe.skipIf(!hasPostgres())("yagate doctor and PostgreSQL", async () => {
  const server = await startPostgres();
  afterAll(() => server.stop());

  it("finds a database that can be used, migrated or empty", async () => {
    for (const DATABASE_URL of [await server.createDatabase(migrate), await server.createDatabase()]) {
      expect(await databaseFinding({ DATABASE_URL })).toEqual({
        ...{
          status: 0,
          found: expect.stringMatching(/^ok: PostgreSQL at .* can be used; missing migrations are applied/),
        },
      });
    }
  });

  it("finds missing migrations if a gateway would only check them, and changes nothing", async () => {
    const DATABASE_URL = await server.createDatabase();
    for (let count = 0; count < 2; count += 1) {
      expect(await databaseFinding({ DATABASE_URL, YAGATE_MIGRATIONS: "check" })).toEqual({
        ...{
          status: 1,
          found: expect.stringMatching(/^failed: the database has schema 0, and this version needs \d+/),
        },
      });
    }
  });

  it("finds master keys with which the database cannot be read", async () => {
    const key = (text: string) => `k1:${Buffer.from(text).toString("base64")}`;
    for (const DATABASE_URL of [await server.createDatabase(), await server.createDatabase(migrate)]) {
      expect((await databaseFinding({ DATABASE_URL }, "master keys")).found).toBe("ok: nothing is encrypted yet");
    }
    const DATABASE_URL = await server.createDatabase();
    const masterKeys = key("a9#kQz!7rT2$mB5^xL8&vN1*cF4@hJ6%");
    const gateway = createGateway({ port: 0, databaseUrl: DATABASE_URL, masterKeys, logLevel: "silent" });
    await gateway.start();
    onTestFinished(() => gateway.stop());
    expect(await databaseFinding({ DATABASE_URL }, "master keys")).toEqual({
      ...{ status: 1, found: expect.stringMatching(/^failed: .*encrypted with other master keys/) },
    });
    const own = await databaseFinding({ DATABASE_URL, YAGATE_MASTER_KEYS: masterKeys }, "master keys");
    expect(own).toEqual({ status: 0, found: expect.stringMatching(/^ok: PostgreSQL at .* was encrypted with them$/) });
  });
});
