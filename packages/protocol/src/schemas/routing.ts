import * as z from "zod";

/** Data classes, from the least to the most strict. */
export const DATA_CLASSES = ["public", "internal", "confidential"] as const;
export const dataClassSchema = z.enum(DATA_CLASSES);
export type DataClass = z.infer<typeof dataClassSchema>;

/** Cost classes, from the cheapest to the most expensive. */
export const COST_CLASSES = ["low", "medium", "high"] as const;
export const costClassSchema = z.enum(COST_CLASSES);
export type CostClass = z.infer<typeof costClassSchema>;

/** A routing scope or a region: a word without spaces, such as `orders` or `eu`. */
export const routingWordSchema = z.string().trim().min(1).max(100);
const routingScopesSchema = z.array(routingWordSchema).max(100);

/** Maximum length of an intent's name. The tool that serves it has the same name with underscores. */
const MAX_INTENT_CHARACTERS = 64;

/** The name of an intent: lower-case words separated by dots, such as `web.search` or `business.order.query`. */
export const intentNameSchema = z
  .string()
  .max(MAX_INTENT_CHARACTERS)
  .regex(
    /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/,
    "expected the name of an intent: lower-case words with dots, such as web.search",
  );
const intentsSchema = z.array(intentNameSchema).max(100);

/** Bounds for the routing of executions that an API key starts. Requests with the key cannot exceed them. */
export const keyRoutingSchema = z.strictObject({
  /** Routing scopes that requests with the key may specify. Default: none. */
  scopes: routingScopesSchema.optional(),
  /** The least strict data class that requests with the key may have. Default: any. */
  dataClass: dataClassSchema.optional(),
  /** The region in which the key's executions are served. It overrides the region of a request. */
  region: routingWordSchema.optional(),
  /** The maximum cost class that the key's executions may use. Default: any. */
  maxCostClass: costClassSchema.optional(),
  /** The only intents that the key's executions may use. Default: all. */
  intents: intentsSchema.optional(),
  /** Whether requests with the key may supply recordings. Default false. */
  recordings: z.boolean().optional(),
});
export type KeyRouting = z.infer<typeof keyRoutingSchema>;

/** How the capabilities of one execution are chosen. */
export const executionRoutingSchema = z.strictObject({
  /** Routing scopes of the request. The API key must allow each of them. Default: none. */
  scopes: routingScopesSchema.optional(),
  /** The class of the data that the execution handles. Default: that of the agent, or `confidential`. */
  dataClass: dataClassSchema.optional(),
  region: routingWordSchema.optional(),
  /** The maximum cost class of capabilities. Default: any. */
  maxCostClass: costClassSchema.optional(),
  /** Whether the answer must cite sources that the execution has found. Default false. */
  requireCitations: z.boolean().optional(),
  /** The only intents that the execution may use. Default: those of the agent and its rules. */
  intents: intentsSchema.optional(),
});
export type ExecutionRouting = z.infer<typeof executionRoutingSchema>;
