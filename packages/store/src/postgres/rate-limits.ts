import {
  assertLimits,
  type RateLimit,
  type RateLimitRow,
  type RateLimitStore,
  type TakenCall,
  takeFrom,
} from "../quotas/rate-limits.ts";
import { type Database, named, type Session } from "./database.ts";
import { InSequence } from "./in-sequence.ts";
import { isConflict, StatementError, toStoreError } from "./store-error.ts";

const MAX_TRIES = 3;

/**
 * Starts a transaction with timeouts: a process that is frozen inside it must not block the calls of other processes.
 */
const BEGIN = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '2s'; SET LOCAL lock_timeout = '5s'";

/** Inserts missing rows and locks all of them in the order of their keys, which prevents deadlocks. */
const LOCK = named(`
  INSERT INTO rate_limits AS r (key, moments, expires_at)
  SELECT key, '[]', $2::bigint FROM unnest($1::text[]) AS asked(key) ORDER BY key COLLATE "C"
  ON CONFLICT (key) DO UPDATE SET expires_at = r.expires_at
  RETURNING key, moments`);

const TAKE = named(`
  UPDATE rate_limits AS r SET moments = t.moments, expires_at = t.expires_at
  FROM unnest($1::text[], $2::text[], $3::bigint[]) AS t(key, moments, expires_at) WHERE r.key = t.key`);

async function take(session: Session, limits: readonly RateLimit[], now: number): Promise<TakenCall> {
  const keys = limits.map(({ key }) => key);
  const taken = takeFrom(await session.run<RateLimitRow>(LOCK, [keys, now]), limits, now);
  if ("refusal" in taken) {
    await session.execute("ROLLBACK");
    return taken.refusal;
  }
  const { rows } = taken;
  await session.run(TAKE, [keys, rows.map(({ moments }) => moments), rows.map(({ expiresAt }) => expiresAt)]);
  await session.execute("COMMIT");
  return { allowed: true };
}

/**
 * Creates the rate limits that several replicas share. Concurrent calls wait for each other only if they have a key in
 * common.
 */
export function createRateLimitStore(database: Database): RateLimitStore {
  // Calls in this process run one at a time, so that many calls that wait for the same row do not use up the
  // connections that appends need.
  const sequence = new InSequence();

  async function tryTake(limits: readonly RateLimit[], now: number): Promise<TakenCall> {
    return database.use("writes", async (session) => {
      await session.execute(BEGIN);
      try {
        return await take(session, limits, now);
      } catch (error) {
        if (!(error instanceof StatementError) || error.fate === "aborted") await session.execute("ROLLBACK");
        throw error;
      }
    });
  }

  async function takeCall(limits: readonly RateLimit[], now: number): Promise<TakenCall> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await tryTake(limits, now);
      } catch (error) {
        // If the connection is lost, the call is repeated and may count twice, but it is always counted.
        const isWorthAnother = isConflict(error) || (error instanceof StatementError && error.fate === "lost");
        if (!isWorthAnother || tries === MAX_TRIES) throw toStoreError(error);
      }
    }
  }

  return {
    async takeCall({ limits, now }) {
      assertLimits(limits);
      return limits.length === 0 ? { allowed: true } : sequence.run(() => takeCall(limits, now));
    },
  };
}
