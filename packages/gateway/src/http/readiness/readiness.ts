import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";
import { type NotReady, NotReadyError } from "../../errors/request-errors.ts";
import { redactText } from "../../telemetry/redact-text.ts";

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
      if (isDraining) throw new NotReadyError([DRAINING], { isDraining });
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

const DRAINING: NotReady = { check: "draining", message: "the gateway is stopping and takes no new work" };
const MAX_CAUSES = 5;

async function failureOf(check: string, ask: ReadinessCheck, timeoutMs: number): Promise<NotReady | undefined> {
  const over = new AbortController();
  const tooLate = { message: `expected an answer within ${timeoutMs} ms` };
  const late = sleep(timeoutMs, tooLate, { signal: over.signal, ref: false });
  late.catch(() => undefined);
  const asked = ask().then(() => undefined, toFailure);
  const failure = await Promise.race([asked, late]);
  over.abort();
  return failure === undefined ? undefined : { check, ...failure };
}

/** Anybody may read the message, so what is not our own text stays in the log. */
function toFailure(error: unknown): Omit<NotReady, "check"> {
  const isOwn = YagateError.is(error) && error.code !== "INTERNAL";
  const message = isOwn ? error.message : "it failed; the log has the details";
  return { message, reason: redactText(wordsOf(error, 0)) };
}

function wordsOf(error: unknown, depth: number): string {
  if (!(error instanceof Error)) return "thrown, and no error";
  const { message, cause } = error;
  return cause === undefined || depth === MAX_CAUSES ? message : `${message}: ${wordsOf(cause, depth + 1)}`;
}
