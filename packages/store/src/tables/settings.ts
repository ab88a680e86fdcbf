import { YagateError } from "@yagate/protocol";
import { sql } from "../sql.ts";
import { first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

/** Small values that the gateway itself stores, such as the canary of the keyring. */
export interface SettingStore {
  get(name: string): Promise<string | undefined>;
  /** Writes the value if the setting does not exist. Returns the stored value. */
  setOnce(name: string, value: string): Promise<string>;
  /** Replaces the value if it is still `from`. Returns whether it was replaced. */
  replace(name: string, from: string, to: string): Promise<boolean>;
}

const PING = "ping";

function* findValue(name: string): UnitOfWork<string | undefined> {
  const row = yield* first(sql<{ value: string }>`SELECT value FROM settings WHERE name = ${name}`);
  return row?.value;
}

function* setOnce(name: string, value: string): UnitOfWork<string> {
  yield* first(sql`INSERT INTO settings (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO NOTHING`);
  const stored = yield* findValue(name);
  if (stored === undefined) throw new YagateError("INTERNAL", "expected the setting that was just written to exist");
  return stored;
}

function* replace(name: string, from: string, to: string): UnitOfWork<boolean> {
  const row = yield* first(sql<{ name: string }>`
    UPDATE settings SET value = ${to} WHERE name = ${name} AND value = ${from} RETURNING name`);
  return row !== undefined;
}

/** Writes a value to test whether the store accepts writes. */
export function* writePing(value: string): UnitOfWork<void> {
  yield* first(sql`INSERT INTO settings (name, value) VALUES (${PING}, ${value})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
}

export function createSettingStore(units: UnitRunner): SettingStore {
  return {
    get: (name) => units.read(() => findValue(name)),
    setOnce: (name, value) => units.write(() => setOnce(name, value)),
    replace: (name, from, to) => units.write(() => replace(name, from, to)),
  };
}
