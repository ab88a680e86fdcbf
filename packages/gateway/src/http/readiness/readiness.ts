import { setTimeout as sleep } from "node:timers/promises";
import { redactText } from "@yagate/lib/redaction/redact-text";
import { YagateError } from "@yagate/protocol";
import { type NotReady, NotReadyError } from "../../errors/request-errors.ts";

/** Checks a condition for taking work. Rejects with the reason if the condition is not met. */
export type ReadinessCheck = () => Promise<void>;

/** Reports whether this replica can take work. */
export interface Readiness {
  /**
   * Runs every check. Concurrent calls share one run, and a successful result is cached for 250 ms, because the checks
   * write to the store and the route is public.
   *
   * @returns the names of the checks.
   * @throws NotReadyError with each failed check and the reason for its failure.
   */
  assertReady(): Promise<readonly string[]>;
  /** Makes this replica report permanently that it is not ready. */
  drain(): void;
}

/** Options for {@link createReadiness}. */
export interface ReadinessOptions {
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Returns the time of a monotonic clock in ms. */
  readonly monotonicNow: () => number;
  /** Maximum duration of a check in ms; default 4,000. */
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
  const tooLate = { message: `expected a result within ${timeoutMs} ms` };
  const late = sleep(timeoutMs, tooLate, { signal: over.signal, ref: false });
  late.catch(() => undefined);
  const asked = ask().then(() => undefined, toFailure);
  const failure = await Promise.race([asked, late]);
  over.abort();
  return failure === undefined ? undefined : { check, ...failure };
}

/** Converts the error of a check. The message is public, so the text of an unknown error goes only to the log. */
function toFailure(error: unknown): Omit<NotReady, "check"> {
  const isOwn = YagateError.is(error) && error.code !== "INTERNAL";
  const message = isOwn ? error.message : "the check failed; the log has the details";
  return { message, reason: redactText(wordsOf(error, 0)) };
}

function wordsOf(error: unknown, depth: number): string {
  if (!(error instanceof Error)) return "a value that is not an error was thrown";
  const { message, cause } = error;
  return cause === undefined || depth === MAX_CAUSES ? message : `${message}: ${wordsOf(cause, depth + 1)}`;
}
