import * as z from "zod";
import { dataClassSchema, intentNameSchema } from "./routing.ts";

/** Maximum number of intents of an agent, so that the record of a decision stays small. */
export const MAX_INTENTS_PER_AGENT = 24;

/** Maximum number of routing rules of an agent. */
export const MAX_ROUTING_RULES = 50;

const term = z.string().trim().min(1).max(200);
const terms = z.array(term).min(1).max(100);

/** When a rule applies: every given condition must hold, and in each condition one of its entries. */
export const ruleConditionSchema = z
  .strictObject({
    /** Whole words of the input, without regard to case. */
    words: terms.optional(),
    /** Texts that the input contains, without regard to case. */
    phrases: terms.optional(),
    /** Regular expressions without lookahead, lookbehind and back references. They run in linear time. */
    patterns: z.array(z.string().min(1).max(1_000)).min(1).max(20).optional(),
    /** Languages of the input, as ISO 639 codes such as `de`. */
    languages: z
      .array(z.string().regex(/^[a-z]{2,3}$/, "expected an ISO 639 code such as de"))
      .min(1)
      .max(20)
      .optional(),
    /** Entries at the top level of the execution's metadata. */
    metadata: z.record(z.string().min(1).max(100), z.union([z.string().max(500), z.number(), z.boolean()])).optional(),
  })
  .refine((condition) => Object.values(condition).some((value) => value !== undefined), {
    error: "expected at least one condition: words, phrases, patterns, languages or metadata",
  });

/** A rule that decides which intents a request needs. */
export const routingRuleSchema = z.strictObject({
  /** What the record calls the rule. Default: its number. */
  name: z.string().trim().min(1).max(100).optional(),
  when: ruleConditionSchema,
  /** Intents that the request needs. Their tools are shown in full. */
  intents: z.array(intentNameSchema).max(32).optional(),
  toolChoice: z.enum(["auto", "required", "forbidden"]).optional(),
  /** Whether all other tools are hidden. Default false. */
  strict: z.boolean().optional(),
});
export type RoutingRule = z.infer<typeof routingRuleSchema>;

/** How the executions of an agent are routed. */
export const agentRoutingSchema = z
  .strictObject({
    /** The least strict class of the data that the agent handles. A stricter one of a request applies. */
    dataClass: dataClassSchema.optional(),
    /** Whether each answer must cite evidence. Default false. */
    requireCitations: z.boolean().optional(),
    rules: z.array(routingRuleSchema).max(MAX_ROUTING_RULES).optional(),
  })
  .meta({ id: "AgentRouting" });
export type AgentRouting = z.infer<typeof agentRoutingSchema>;
