import { describe, expect, it } from "vitest";
import { createPostgresIdempotencyStore } from "../../src/postgres.ts";
import { createRedisIdempotencyStore } from "../../src/redis.ts";
import { createSqliteIdempotencyStore } from "../../src/sqlite.ts";
import { outcomeOf } from "../support/outcome.ts";

const unused = () => {
  throw new Error("not expected");
};
const database = { exec: unused, prepare: unused };
const pool = { query: unused };
const client = { eval: unused, evalsha: unused };

const stores = {
  sqlite: (options: object) => createSqliteIdempotencyStore({ database, ...options }),
  postgres: (options: object) => createPostgresIdempotencyStore({ pool, ...options }),
  redis: (options: object) => createRedisIdempotencyStore({ client, ...options }),
};

describe.each(Object.entries(stores))("the store in %s", (name, create) => {
  it.each([
    {},
    { tenant: "ä" },
    { tenant: "x".repeat(200) },
    { timeoutMs: 1 },
    { timeoutMs: 600_000 },
    { timeoutMs: undefined },
  ])("takes %o", async (options) => {
    expect(await outcomeOf(() => create(options))).toBe("accept");
  });

  it.each([
    { tenant: "x".repeat(201) },
    { tenant: "a\0" },
    { tenant: "\ud800" },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: 600_001 },
    { timeout: 1 },
  ])("refuses %o", async (options) => {
    expect(await outcomeOf(() => create(options))).toBe("INVALID_REQUEST");
  });

  it.runIf(name !== "redis").each([{ table: "" }, { table: 'a"b' }, { table: "a.b" }, { table: "x".repeat(49) }])(
    "refuses %o",
    async (options) => {
      expect(await outcomeOf(() => create(options))).toBe("INVALID_REQUEST");
    },
  );
});

it.each<[string, () => unknown]>([
  ["without a database", () => stores.sqlite({ database: undefined })],
  ["without a pool", () => stores.postgres({ pool: undefined })],
  ["without a client", () => stores.redis({ client: undefined })],
  ["in a schema that is none", () => stores.postgres({ schema: 'a"b' })],
])("a store %s is refused", async (_name, create) => {
  expect(await outcomeOf(create)).toBe("INVALID_REQUEST");
});
