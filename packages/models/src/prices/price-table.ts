import * as z from "zod";

/** USD per million tokens, unless the name says otherwise. */
const amount = z.number().min(0).max(1_000_000);

const rates = {
  input: amount,
  /** Input read from the provider's cache. Default: `input`. */
  cachedInput: amount.optional(),
  /** Input written to the provider's cache. Default: `input`. */
  cacheWrite: amount.optional(),
  /** Output, including reasoning. */
  output: amount,
};

const period = {
  ...rates,
  /**
   * Rates for requests with more than `above` input tokens. They apply to all tokens of such a request. If several
   * thresholds are exceeded, the highest one applies.
   */
  longPrompts: z.array(z.strictObject({ above: z.int().min(1), ...rates })).optional(),
  /** Maximum number of input tokens for which the rates are known. For a larger request, the cost is a lower bound. */
  upTo: z.int().min(1).optional(),
  /** USD per 1000 provider-run searches. */
  webSearchPer1000: amount.optional(),
};

const modelPriceSchema = z.strictObject({
  ...period,
  /** Other names for the model. */
  aliases: z.array(z.string().min(1)).optional(),
  /** Rates that replace these, each starting on a given day (UTC). */
  changes: z.array(z.strictObject({ from: z.iso.date(), ...period })).optional(),
  note: z.string().optional(),
});

const providerPricesSchema = z.strictObject({
  /** The URL from which the prices were taken. */
  source: z.url({ protocol: /^https?$/ }).optional(),
  asOf: z.iso.date().optional(),
  note: z.string().optional(),
  /** The default for the provider's models. */
  webSearchPer1000: amount.optional(),
  /** Prices by the provider's model names; `*` matches every model that is not listed. */
  models: z.record(z.string().min(1), modelPriceSchema),
});

/** A price file: the one in the package or the operator's. Unknown fields are errors. */
export const priceTableSchema = z.strictObject({
  asOf: z.iso.date().optional(),
  /** Prices by the provider part of model names, such as `openai`. */
  providers: z.record(z.string().min(1), providerPricesSchema),
});

export type PriceTable = z.infer<typeof priceTableSchema>;
export type ModelPriceEntry = z.infer<typeof modelPriceSchema>;
/** The rates at one point in time. */
export type ModelPrice = Omit<ModelPriceEntry, "aliases" | "changes" | "note">;
export type Rates = Pick<ModelPrice, "input" | "cachedInput" | "cacheWrite" | "output">;
