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

/** The cost of a search. */
export interface Spending {
  readonly usd: number;
  /** Whether part of the cost is unknown: `usd` is then a lower bound. */
  readonly isPartial: boolean;
}

/** Adds up what providers charge for one search, so that the cost is known even if the search fails. */
export interface SearchLedger {
  /**
   * Records the start of requests to a provider.
   *
   * @returns a function to call when they have ended, with the number of responses (`requests`) and whether more
   *   requests may have been billed (`isUnknown`). The function returns the cost in USD, or `undefined` if the cost is
   *   unknown.
   */
  begin(provider: string): (over: { readonly requests: number; readonly isUnknown: boolean }) => number | undefined;
  /** Returns the cost so far, without requests that are still running. */
  spending(): Spending;
}

/**
 * Creates a ledger for one search.
 *
 * @param usdPerRequest - returns the price of one request to a provider; undefined if unknown.
 */
export function createLedger(usdPerRequest: (provider: string) => number | undefined): SearchLedger {
  let usd = 0;
  let isPartial = false;
  let open = 0;
  return {
    begin(provider) {
      const price = usdPerRequest(provider);
      const isFree = price === 0;
      if (!isFree) open += 1;
      return ({ requests, isUnknown }) => {
        if (isFree) return 0;
        open -= 1;
        const isKnown = !isUnknown && (price !== undefined || requests === 0);
        if (!isKnown) isPartial = true;
        usd += (price ?? 0) * requests;
        return isKnown ? (price ?? 0) * requests : undefined;
      };
    },
    spending: () => ({ usd, isPartial: isPartial || open > 0 }),
  };
}

/** Time in ms for which a provider is skipped after a failure, unless the provider requests a different delay. */
const DEFAULT_MS: Readonly<Record<SearchFailureReason, number>> = {
  rate_limited: 30_000,
  quota_exhausted: 3_600_000,
  unavailable: 15_000,
  misconfigured: 60_000,
  bad_answer: 0,
  rejected: 0,
  aborted: 0,
};
/** Maximum time in ms for which a provider is skipped. Limited because a used-up quota may be topped up at any time. */
const MAX_MS = 3_600_000;

/** Why a provider is skipped, and until when. */
interface CoolDown {
  readonly reason: SearchFailureReason;
  /** The message of the failure that caused the skip. */
  readonly message: string;
  /** ms since the epoch. */
  readonly until: number;
}

/**
 * The providers that this process currently skips. They are skipped for all workspaces, which share the operator's
 * keys.
 */
interface CoolDowns {
  of(provider: string): CoolDown | undefined;
  failed(provider: string, failure: SearchFailure): void;
  answered(provider: string): void;
}

/** Creates the list of skipped providers, initially empty. @param now - returns ms since the epoch. */
export function createCoolDowns(now: () => number): CoolDowns {
  const kept = new Map<string, CoolDown>();
  return {
    of(provider) {
      const coolDown = kept.get(provider);
      return coolDown === undefined || coolDown.until <= now() ? undefined : coolDown;
    },
    failed(provider, { reason, message, retryAfterMs }) {
      const waitMs = Math.min(retryAfterMs ?? DEFAULT_MS[reason], MAX_MS);
      if (waitMs > 0) kept.set(provider, { reason, message, until: now() + waitMs });
    },
    answered(provider) {
      kept.delete(provider);
    },
  };
}
