import { setTimeout as sleep } from "node:timers/promises";
import { type FieldError, YagateError } from "@yagate/protocol";
import { NotReadyError } from "./problem.ts";

/** One thing without which this replica can take no work. It rejects with the reason. */
export type ReadinessCheck = () => Promise<void>;

/** Says whether this replica can take work. */
export interface Readiness {
  /**
   * Asks every check. Who asks at the same time shares the answer, and a good one is given again for a moment: anybody
   * may ask, and asking writes.
   *
   * @returns the names of the checks.
   * @throws NotReadyError with each check that failed, and why.
   */
  assertReady(): Promise<readonly string[]>;
  /** From now on it is never ready again. */
  drain(): void;
}

/** Options of {@link createReadiness}. */
export interface ReadinessOptions {
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** ms on a clock that never jumps. */
  readonly monotonicNow: () => number;
  /** Longest that a check may take; default 4 000. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 4_000;
const GOOD_FOR_MS = 250;

export function createReadiness({ checks, monotonicNow, timeoutMs = DEFAULT_TIMEOUT_MS }: ReadinessOptions): Readiness {
  let isDraining = false;
  let asking: Promise<readonly string[]> | undefined;
  let goodUntil = Number.NEGATIVE_INFINITY;

  async function askAll(): Promise<readonly string[]> {
    const failures = await Promise.all(
      Object.entries(checks).map(([name, check]) => failureOf(name, check, timeoutMs)),
    );
    const failed = failures.filter((failure) => failure !== undefined);
    if (failed.length > 0) throw new NotReadyError(failed);
    goodUntil = monotonicNow() + GOOD_FOR_MS;
    return Object.keys(checks);
  }

  return {
    async assertReady() {
      if (isDraining) throw new NotReadyError([failure("draining", "the gateway is stopping and takes no new work")]);
      if (monotonicNow() < goodUntil) return Object.keys(checks);
      asking ??= askAll().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    drain() {
      isDraining = true;
    },
  };
}

const failure = (path: string, message: string): FieldError => ({ path, code: "not_ready", message });

async function failureOf(name: string, check: ReadinessCheck, timeoutMs: number): Promise<FieldError | undefined> {
  const over = new AbortController();
  const late = sleep(timeoutMs, `expected an answer within ${timeoutMs} ms`, { signal: over.signal, ref: false });
  late.catch(() => undefined);
  const asked = check().then(() => undefined, reasonOf);
  const reason = await Promise.race([asked, late]);
  over.abort();
  return reason === undefined ? undefined : failure(name, reason);
}

/** Anybody may read it, so what is not our own text stays in the log. */
function reasonOf(error: unknown): string {
  return YagateError.is(error) && error.code !== "INTERNAL" ? error.message : "it failed; the log has the details";
}
