import { AsyncLocalStorage, createHook } from "node:async_hooks";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync, StatementSync } from "node:sqlite";

// Loaded with --import, so that the measured modules import the counted functions.

/** What some work caused, in this process and without work that only the clock starts. */
export interface Tally {
  promises: number;
  timers: number;
  abortControllers: number;
  sha256: number;
  hmacs: number;
  /** SQL statements except `BEGIN` and `COMMIT`. */
  statements: number;
  commits: number;
  /** UTF-8 bytes of the texts that SQL statements store or compare, and 8 for each number. */
  boundBytes: number;
}

const EMPTY: Tally = {
  ...{ promises: 0, timers: 0, abortControllers: 0, sha256: 0, hmacs: 0 },
  ...{ statements: 0, commits: 0, boundBytes: 0 },
};

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** The tally of the work that the current call belongs to. */
const tallies = new AsyncLocalStorage<Tally>();

observe(StatementSync.prototype, ["run", "get", "all", "iterate"], (tally, statement, values) => {
  const sql = statement instanceof StatementSync ? statement.sourceSQL : "";
  if (sql === "COMMIT") tally.commits += 1;
  else if (!sql.startsWith("BEGIN")) tally.statements += 1;
  for (const value of values) tally.boundBytes += typeof value === "string" ? Buffer.byteLength(value) : 8;
});
observe(DatabaseSync.prototype, ["exec"], add("statements"));
observe(crypto, ["hash"], add("sha256"));
observe(crypto.Hash.prototype, ["digest"], add("sha256"));
observe(crypto.Hmac.prototype, ["digest"], add("hmacs"));
syncBuiltinESMExports();

globalThis.AbortController = class extends AbortController {
  constructor() {
    super();
    const tally = tallies.getStore();
    if (tally !== undefined) tally.abortControllers += 1;
  }
};

const resources = createHook({
  init(_id, type) {
    const tally = tallies.getStore();
    if (tally === undefined) return;
    if (type === "PROMISE") tally.promises += 1;
    else if (type === "Timeout") tally.timers += 1;
  },
});

/**
 * Runs `work` and counts what it causes. Counting promises makes them more expensive, so nothing else is measured in
 * the meantime.
 */
export async function tallyOf(work: () => Promise<unknown>): Promise<Tally> {
  const tally = { ...EMPTY };
  resources.enable();
  await tallies.run(tally, work);
  resources.disable();
  return tally;
}

function add(what: keyof Tally) {
  return (tally: Tally) => {
    tally[what] += 1;
  };
}

function observe(
  owner: object,
  names: readonly string[],
  onCall: (tally: Tally, self: unknown, values: readonly unknown[]) => void,
): void {
  for (const name of names) {
    const original: Method = Reflect.get(owner, name);
    Reflect.set(owner, name, function observed(this: unknown, ...values: unknown[]) {
      const tally = tallies.getStore();
      if (tally !== undefined) onCall(tally, this, values);
      return Reflect.apply(original, this, values);
    });
  }
}
