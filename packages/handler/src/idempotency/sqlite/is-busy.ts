import { isObject } from "@yagate/lib/json/json-object";
/**
 * Thrown if a transaction is open on the connection. The store's operations must not become part of that transaction.
 */
export class SqliteInTransaction extends Error {
  constructor() {
    super("a transaction is open on the idempotency store's connection: give the store a separate connection");
  }
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/**
 * Checks whether the database is temporarily in use, by another connection or by a transaction of the program itself.
 */
export function isBusy(error: unknown): boolean {
  if (error instanceof SqliteInTransaction) return true;
  if (!isObject(error)) return false;
  // node:sqlite returns a number, with details in its upper bits; other drivers return a name.
  if ("errcode" in error && typeof error.errcode === "number") {
    return [SQLITE_BUSY, SQLITE_LOCKED].includes(error.errcode & 0xff);
  }
  return "code" in error && typeof error.code === "string" && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}
