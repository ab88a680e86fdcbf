import { defined } from "@yagate/lib/objects/defined";
import {
  type SearchAnswer,
  type SearchContext,
  SearchFailure,
  type SearchFailureReason,
  type SearchHit,
  type SearchProvider,
  type SearchQuery,
  type SearchWarning,
} from "../port.ts";
import type { CoolDowns } from "./cool-downs.ts";
import type { SearchLedger } from "./ledger.ts";

/** What came of one provider. */
export interface ProviderAttempt {
  readonly provider: string;
  /** `skipped`: left alone, since it failed a moment ago. */
  readonly outcome: "answered" | "empty" | "failed" | "skipped";
  readonly reason?: SearchFailureReason;
  readonly message?: string;
  /** Of one that is left alone or asks to be. */
  readonly retryAfterMs?: number;
  /** Undefined: a request was made whose price is not known. */
  readonly usd: number | undefined;
  readonly warnings?: readonly SearchWarning[];
}

/** What one provider found. */
export interface ProviderHits {
  readonly provider: SearchProvider;
  /** None: it answered, and found nothing. */
  readonly hits: readonly SearchHit[];
  readonly leftOut?: SearchAnswer["leftOut"];
}

/** What came of one query. */
export interface ProvidersAnswer {
  /** Of whoever answered; none where all have failed. */
  readonly answers: readonly ProviderHits[];
  readonly attempts: readonly ProviderAttempt[];
}

/** Parts of {@link askProviders}. */
export interface AskProvidersOptions {
  /** In the order in which they are asked. */
  readonly providers: readonly SearchProvider[];
  readonly coolDowns: CoolDowns;
  /** Where it is written what they charge. */
  readonly ledger: SearchLedger;
  /** ms since the epoch. */
  readonly now: () => number;
}

const MAX_ATTEMPT_MS = 10_000;

/**
 * Asks one provider after the other until one finds something, each within its share of the time that is left. Those
 * that failed a moment ago are passed over; those whose service merely did not work are tried in the end all the same.
 *
 * @throws SearchFailure `aborted` when nobody waits any more.
 */
export async function askProviders(
  query: SearchQuery,
  context: SearchContext,
  options: AskProvidersOptions,
): Promise<ProvidersAnswer> {
  const { providers, coolDowns } = options;
  const attempts: ProviderAttempt[] = [];
  const cooling = providers.filter(({ name }) => coolDowns.of(name) !== undefined);
  const lastResort = cooling.filter(({ name }) => coolDowns.of(name)?.reason === "unavailable");
  const ready = providers.filter((provider) => !cooling.includes(provider));
  for (const provider of cooling) if (!lastResort.includes(provider)) attempts.push(skipped(provider, options));
  const order = [...ready, ...lastResort];
  let empty: ProviderHits | undefined;
  for (const [index, provider] of order.entries()) {
    if (empty !== undefined && lastResort.includes(provider)) {
      attempts.push(skipped(provider, options));
      continue;
    }
    const { attempt, answer } = await askOne(provider, query, context, order.length - index, options);
    attempts.push(attempt);
    if (attempt.outcome === "answered" && answer !== undefined) {
      const passedOver = lastResort.filter((other) => order.indexOf(other) > index);
      return { answers: [answer], attempts: [...attempts, ...passedOver.map((other) => skipped(other, options))] };
    }
    empty ??= answer;
  }
  return { answers: empty === undefined ? [] : [empty], attempts };
}

/**
 * Asks all providers at the same time. Those that failed a moment ago are passed over; where nobody else is left, those
 * whose service merely did not work are tried all the same.
 *
 * @throws SearchFailure `aborted` when nobody waits any more.
 */
export async function askAllProviders(
  query: SearchQuery,
  context: SearchContext,
  options: AskProvidersOptions,
): Promise<ProvidersAnswer> {
  const { providers, coolDowns } = options;
  const ready = providers.filter(({ name }) => coolDowns.of(name) === undefined);
  const lastResort = providers.filter(({ name }) => coolDowns.of(name)?.reason === "unavailable");
  const order = ready.length > 0 ? ready : lastResort;
  const left = providers.filter((provider) => !order.includes(provider)).map((provider) => skipped(provider, options));
  const asked = await Promise.all(order.map((provider) => askOne(provider, query, context, 1, options)));
  return {
    answers: asked.flatMap(({ answer }) => answer ?? []),
    attempts: [...left, ...asked.map(({ attempt }) => attempt)],
  };
}

async function askOne(
  provider: SearchProvider,
  query: SearchQuery,
  { deadline, ...context }: SearchContext,
  left: number,
  { coolDowns, ledger, now }: AskProvidersOptions,
): Promise<{ readonly attempt: ProviderAttempt; readonly answer?: ProviderHits }> {
  const { name } = provider;
  const share = Math.min(MAX_ATTEMPT_MS, (deadline - now()) / left);
  const settle = ledger.begin(name);
  try {
    const {
      hits,
      requests = 1,
      leftOut,
      warnings = [],
    } = await provider.search(query, { ...context, deadline: now() + share });
    coolDowns.answered(name);
    const usd = settle({ requests, isUnknown: false });
    const outcome = hits.length === 0 ? "empty" : "answered";
    const answer = { provider, hits, ...defined({ leftOut }) };
    const told = warnings.length === 0 ? {} : { warnings };
    return { attempt: { provider: name, outcome, usd, ...told }, answer };
  } catch (error) {
    // A defect of a provider must not end the search that another one could answer.
    const failure =
      error instanceof SearchFailure
        ? error
        : new SearchFailure("unavailable", `${name} failed for a reason inside the gateway`, { cause: error });
    const usd = settle(failure);
    if (context.signal.aborted) throw new SearchFailure("aborted", "the search was cancelled", { cause: error });
    coolDowns.failed(name, failure);
    const { reason, message, retryAfterMs } = failure;
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    return { attempt: { provider: name, outcome: "failed", reason, message, ...wait, usd } };
  }
}

function skipped({ name }: SearchProvider, { coolDowns, now }: AskProvidersOptions): ProviderAttempt {
  const { reason = "unavailable", message: cause = `${name} has failed`, until = now() } = coolDowns.of(name) ?? {};
  const retryAfterMs = Math.max(0, until - now());
  const message = `${cause}; it is left alone for ${Math.ceil(retryAfterMs / 1_000)} s`;
  return { provider: name, outcome: "skipped", reason, message, retryAfterMs, usd: 0 };
}
