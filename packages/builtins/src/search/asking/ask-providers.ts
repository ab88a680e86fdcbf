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

/** The outcome of one query at one provider. */
export interface ProviderAttempt {
  readonly provider: string;
  /** `skipped`: no request was sent to the provider, because it failed recently. */
  readonly outcome: "answered" | "empty" | "failed" | "skipped";
  readonly reason?: SearchFailureReason;
  readonly message?: string;
  /** Time in ms until the provider can be asked again, if it was skipped or requested a delay. */
  readonly retryAfterMs?: number;
  /** The cost in USD; undefined if the price of a request is unknown. */
  readonly usd: number | undefined;
  readonly warnings?: readonly SearchWarning[];
}

/** What one provider found. */
export interface ProviderHits {
  readonly provider: SearchProvider;
  /** Empty if the provider responded and found nothing. */
  readonly hits: readonly SearchHit[];
  readonly leftOut?: SearchAnswer["leftOut"];
}

/** The combined outcome of one query at all providers. */
export interface ProvidersAnswer {
  /** The hits of each provider whose response is used; empty if all providers failed. */
  readonly answers: readonly ProviderHits[];
  readonly attempts: readonly ProviderAttempt[];
}

/** Dependencies and limits of {@link askProviders}. */
export interface AskProvidersOptions {
  /** The providers, ordered by preference. */
  readonly providers: readonly SearchProvider[];
  readonly coolDowns: CoolDowns;
  /** Records what the providers charge. */
  readonly ledger: SearchLedger;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
}

const MAX_ATTEMPT_MS = 10_000;

/**
 * Asks the providers one after another until one finds something, each within its share of the remaining time.
 * Providers that failed recently are skipped, but those that were only unavailable are tried last.
 *
 * @throws SearchFailure `aborted` if the search was cancelled.
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
 * Asks all providers concurrently. Providers that failed recently are skipped. If all providers failed recently, those
 * that were only unavailable are tried.
 *
 * @throws SearchFailure `aborted` if the search was cancelled.
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
    // A defect in one provider must not end a search that another provider could complete.
    const failure =
      error instanceof SearchFailure
        ? error
        : new SearchFailure("unavailable", `${name} failed because of an internal error`, { cause: error });
    const usd = settle(failure);
    if (context.signal.aborted) throw new SearchFailure("aborted", "the search was cancelled", { cause: error });
    coolDowns.failed(name, failure);
    const { reason, message, retryAfterMs } = failure;
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    return { attempt: { provider: name, outcome: "failed", reason, message, ...wait, usd } };
  }
}

function skipped({ name }: SearchProvider, { coolDowns, now }: AskProvidersOptions): ProviderAttempt {
  const {
    reason = "unavailable",
    message: cause = `${name} failed recently`,
    until = now(),
  } = coolDowns.of(name) ?? {};
  const retryAfterMs = Math.max(0, until - now());
  const message = `${cause}; the next attempt is possible in ${Math.ceil(retryAfterMs / 1_000)} s`;
  return { provider: name, outcome: "skipped", reason, message, retryAfterMs, usd: 0 };
}
