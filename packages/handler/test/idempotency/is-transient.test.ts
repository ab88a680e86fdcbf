import { describe, expect, it } from "vitest";
import { isTransient as passesInPostgres } from "../../src/idempotency/postgres/is-transient.ts";
import { isTransient as passesInRedis } from "../../src/idempotency/redis/is-transient.ts";
import { isBusy } from "../../src/idempotency/sqlite/is-busy.ts";

function withFields(fields: object, message = "failed"): Error {
  return Object.assign(new Error(message), fields);
}

const fromServer = (code: string) => withFields({ severity: "ERROR", code });

describe("of PostgreSQL", () => {
  it.each<[string, unknown, boolean]>([
    ["a connection that ended", new Error("Connection terminated unexpectedly"), true],
    ["a server that is not there", withFields({ code: "ECONNREFUSED" }), true],
    ["a server that stops", fromServer("57P01"), true],
    ["a server that starts", fromServer("57P03"), true],
    ["too many connections", fromServer("53300"), true],
    ["a conflict between transactions", fromServer("40001"), true],
    ["a deadlock", fromServer("40P01"), true],
    ["a missing table", fromServer("42P01"), false],
    ["a missing right", fromServer("42501"), false],
    ["a statement that was cancelled", fromServer("57014"), false],
    ["a wrong password", fromServer("28P01"), false],
  ])("%s", (_name, error, passes) => {
    expect(passesInPostgres(error)).toBe(passes);
  });
});

describe("of Redis", () => {
  it.each<[string, boolean]>([
    ["Socket closed unexpectedly", true],
    ["connect ECONNREFUSED 127.0.0.1:6379", true],
    ["Connection is closed.", true],
    ["LOADING Redis is loading the dataset in memory", true],
    ["READONLY You can't write against a read only replica.", true],
    ["CLUSTERDOWN Hash slot not served", true],
    ["BUSY Redis is busy running a script.", true],
    ["WRONGTYPE Operation against a key holding the wrong kind of value", false],
    ["NOAUTH Authentication required.", false],
    ["NOPERM this user has no permissions", false],
    ["OOM command not allowed when used memory > 'maxmemory'.", false],
    ["ERR unknown command 'EVALSHA'", false],
  ])("%s", (message, passes) => {
    expect(passesInRedis(new Error(message))).toBe(passes);
  });
});

describe("of SQLite", () => {
  it.each<[string, unknown, boolean]>([
    ["busy, as node:sqlite says it", withFields({ code: "ERR_SQLITE_ERROR", errcode: 5 }), true],
    ["busy with a snapshot, as node:sqlite says it", withFields({ code: "ERR_SQLITE_ERROR", errcode: 517 }), true],
    ["locked, as node:sqlite says it", withFields({ code: "ERR_SQLITE_ERROR", errcode: 6 }), true],
    ["a missing table, as node:sqlite says it", withFields({ code: "ERR_SQLITE_ERROR", errcode: 1 }), false],
    ["busy, as the others say it", withFields({ code: "SQLITE_BUSY" }), true],
    ["busy with a snapshot, as the others say it", withFields({ code: "SQLITE_BUSY_SNAPSHOT" }), true],
    ["a full disk, as the others say it", withFields({ code: "SQLITE_FULL" }), false],
    ["a closed database", withFields({ code: "ERR_INVALID_STATE" }, "database is not open"), false],
  ])("%s", (_name, error, passes) => {
    expect(isBusy(error)).toBe(passes);
  });
});
