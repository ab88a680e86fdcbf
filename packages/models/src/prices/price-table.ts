import * as z from "zod";

/** USD per million tokens, unless the name says otherwise. */
const amount = z.number().min(0).max(1_000_000);

const rates = {
  input: amount,
  /** Input read from the provider's cache; default: `input`. */
  cachedInput: amount.optional(),
  /** Input written to the provider's cache; default: `input`. */
  cacheWrite: amount.optional(),
  /** Includes reasoning. */
  output: amount,
};

const period = {
  ...rates,
  /**
   * Other rates for all tokens of a request with more than `above` input tokens; the highest threshold that is exceeded
   * applies.
   */
  longPrompts: z.array(z.strictObject({ above: z.int().min(1), ...rates })).optional(),
  /** Maximum input tokens of one request for which the rates are known; larger requests cost at least as much. */
  upTo: z.int().min(1).optional(),
  /** USD per 1000 provider-run searches. */
  webSearchPer1000: amount.optional(),
};

const modelPriceSchema = z.strictObject({
  ...period,
  /** Other names with the same price. */
  aliases: z.array(z.string().min(1)).optional(),
  /** Rates from a given day on (UTC), which replace these. */
  changes: z.array(z.strictObject({ from: z.iso.date(), ...period })).optional(),
  note: z.string().optional(),
});

const providerPricesSchema = z.strictObject({
  /** The source and date of the prices. */
  source: z.url({ protocol: /^https?$/ }).optional(),
  asOf: z.iso.date().optional(),
  note: z.string().optional(),
  /** The default for its models. */
  webSearchPer1000: amount.optional(),
  /** By the provider's model names; `*` matches every model that is not listed. */
  models: z.record(z.string().min(1), modelPriceSchema),
});

/** A price file: the package's own, or the operator's. Unknown fields are errors. */
export const priceTableSchema = z.strictObject({
  asOf: z.iso.date().optional(),
  /** By the provider part of model names, such as `openai`. */
  providers: z.record(z.string().min(1), providerPricesSchema),
});

export type PriceTable = z.infer<typeof priceTableSchema>;
export type ModelPriceEntry = z.infer<typeof modelPriceSchema>;
/** The rates at one moment. */
export type ModelPrice = Omit<ModelPriceEntry, "aliases" | "changes" | "note">;
export type Rates = Pick<ModelPrice, "input" | "cachedInput" | "cacheWrite" | "output">;
