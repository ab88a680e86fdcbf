import type { ModelPrice, ModelPriceEntry, PriceTable } from "./price-table.ts";

/** Prices of models. */
export interface Prices {
  /** The date of the package's table, such as `2026-11-21`. */
  readonly asOf: string;
  /**
   * Finds the price of a model at a point in time. `undefined` means that the price is unknown, not that the model is
   * free.
   *
   * @param at - ms since the epoch.
   */
  find(provider: string, model: string, at: number): ModelPrice | undefined;
}

type Entries = Map<string, ModelPriceEntry>;

/**
 * Combines price tables; an entry in a later table replaces entries for the same model in earlier ones. A name without
 * an entry uses the longest listed name that it extends only by dates, numbers of two or more digits, or `latest`:
 * `claude-sonnet-4-20250514` costs the same as `claude-sonnet-4`, but `claude-sonnet-4-5` does not.
 */
export function createPrices(tables: readonly PriceTable[]): Prices {
  const providers = new Map<string, Entries>();
  for (const table of tables) {
    for (const [provider, { models, webSearchPer1000 }] of Object.entries(table.providers)) {
      const entries = providers.get(provider) ?? new Map<string, ModelPriceEntry>();
      providers.set(provider, entries);
      for (const [name, entry] of Object.entries(models)) {
        const complete = webSearchPer1000 === undefined ? entry : { webSearchPer1000, ...entry };
        for (const key of [name, ...(entry.aliases ?? [])]) entries.set(key.toLowerCase(), complete);
      }
    }
  }
  return {
    asOf: tables.find(({ asOf }) => asOf !== undefined)?.asOf ?? "",
    find(provider, model, at) {
      const entry = findEntry(providers.get(provider), model.toLowerCase());
      return entry === undefined ? undefined : priceAt(entry, at);
    },
  };
}

const SNAPSHOT = /^(?:[-@](?:latest|\d{2,8}))+$/;

function findEntry(entries: Entries | undefined, model: string): ModelPriceEntry | undefined {
  const named = entries?.get(model);
  if (entries === undefined || named !== undefined) return named;
  for (let end = model.length - 1; end > 0; end -= 1) {
    const family = SNAPSHOT.test(model.slice(end)) ? entries.get(model.slice(0, end)) : undefined;
    if (family !== undefined) return family;
  }
  return entries.get("*");
}

function priceAt({ changes = [], ...now }: ModelPriceEntry, at: number): ModelPrice {
  const begun = changes.filter(({ from }) => Date.parse(from) <= at);
  const latest = begun.toSorted((left, right) => Date.parse(right.from) - Date.parse(left.from))[0];
  if (latest === undefined) return now;
  const { webSearchPer1000 } = now;
  return webSearchPer1000 === undefined ? latest : { webSearchPer1000, ...latest };
}
