import {
  assertLimits,
  type RateLimit,
  type RateLimitRow,
  type RateLimitStore,
  type TakenCall,
  takeFrom,
} from "../quotas/rate-limits.ts";
import { sql } from "../sql.ts";
import { first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

function* takeCall(limits: readonly RateLimit[], now: number): UnitOfWork<TakenCall> {
  const rows: RateLimitRow[] = [];
  for (const { key } of limits) {
    const row = yield* first(sql<RateLimitRow>`SELECT key, moments FROM rate_limits WHERE key = ${key}`);
    if (row !== undefined) rows.push(row);
  }
  const taken = takeFrom(rows, limits, now);
  if ("refusal" in taken) return taken.refusal;
  for (const { key, moments, expiresAt } of taken.rows) {
    yield* first(sql`
      INSERT INTO rate_limits (key, moments, expires_at) VALUES (${key}, ${moments}, ${expiresAt})
      ON CONFLICT (key) DO UPDATE SET moments = excluded.moments, expires_at = excluded.expires_at`);
  }
  return { allowed: true };
}

/** Creates the rate limits for a store that only one process uses, so units of work never conflict. */
export function createRateLimitStore(units: UnitRunner): RateLimitStore {
  return {
    async takeCall({ limits, now }) {
      assertLimits(limits);
      return limits.length === 0 ? { allowed: true } : units.write(() => takeCall(limits, now));
    },
  };
}
