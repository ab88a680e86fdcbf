import * as z from "zod";

/** USD; per million tokens unless its name says otherwise. */
const amount = z.number().min(0).max(1_000_000);

const rates = {
  input: amount,
  /** Input that is read from the provider's cache; `input` where absent. */
  cachedInput: amount.optional(),
  /** Input that is written to the provider's cache; `input` where absent. */
  cacheWrite: amount.optional(),
  /** Reasoning included. */
  output: amount,
};

const period = {
  ...rates,
  /** Other rates for all tokens of a request whose input is more than `above` tokens; the highest that is passed counts. */
  longPrompts: z.array(z.strictObject({ above: z.int().min(1), ...rates })).optional(),
  /** Most input tokens of one request for which the rates are known; what is above costs at least as much. */
  upTo: z.int().min(1).optional(),
  /** USD for 1000 searches that the provider runs itself. */
  webSearchPer1000: amount.optional(),
};

const modelPriceSchema = z.strictObject({
  ...period,
  /** Other names for which the same holds. */
  aliases: z.array(z.string().min(1)).optional(),
  /** Rates that hold from a day on (UTC), in place of these. */
  changes: z.array(z.strictObject({ from: z.iso.date(), ...period })).optional(),
  note: z.string().optional(),
});

const providerPricesSchema = z.strictObject({
  /** Where the prices were read, and when. */
  source: z.url({ protocol: /^https?$/ }).optional(),
  asOf: z.iso.date().optional(),
  note: z.string().optional(),
  /** Of its models that name no other price. */
  webSearchPer1000: amount.optional(),
  /** By the provider's own names; `*` stands for every model that is not named. */
  models: z.record(z.string().min(1), modelPriceSchema),
});

/** A file of prices: the one that comes with the gateway, and the operator's. A typo is an error. */
export const priceTableSchema = z.strictObject({
  asOf: z.iso.date().optional(),
  /** By the provider's name in models, such as `openai`. */
  providers: z.record(z.string().min(1), providerPricesSchema),
});

export type PriceTable = z.infer<typeof priceTableSchema>;
export type ModelPriceEntry = z.infer<typeof modelPriceSchema>;
/** What holds at one moment. */
export type ModelPrice = Omit<ModelPriceEntry, "aliases" | "changes" | "note">;
export type Rates = Pick<ModelPrice, "input" | "cachedInput" | "cacheWrite" | "output">;
