import * as z from "zod";
import { openResponse } from "./open-response.ts";
import { executionRoutingSchema } from "./routing.ts";

/** Why a capability does not serve an intent in this model turn. */
export const routeRefusalSchema = z.enum([
  "DISABLED",
  "PROVIDER",
  "MODEL",
  "SCOPES",
  "REGION",
  "DATA_CLASS",
  "COST",
  "CITATIONS",
  "POLICY",
  "NOT_CONFIGURED",
  "UNAVAILABLE",
  "CIRCUIT_OPEN",
]);
export type RouteRefusal = z.infer<typeof routeRefusalSchema>;

/** Why an intent is or is not part of a model turn. */
export const intentReasonSchema = z.enum([
  /** The caller named it. */
  "caller",
  /** A rule that applies named it. */
  "rule",
  /** No rule applies. */
  "default",
  /** The agent requires it. */
  "required",
  /** A rule that applies prefers other intents. */
  "not_preferred",
  /** A strict rule hides it. */
  "strict",
  /** The caller or its key excludes it. */
  "excluded",
]);
export type IntentReason = z.infer<typeof intentReasonSchema>;

/** A capability as it is when it is chosen. */
export const capabilityVersionSchema = z.looseObject({
  key: z.string(),
  /** Changes with the capability and its target. */
  version: z.string(),
});
export type CapabilityVersion = z.infer<typeof capabilityVersionSchema>;

/** A capability that can serve an intent, with the parts of its score. */
export const routeCandidateSchema = z.looseObject({
  key: z.string(),
  /** Changes with the capability and its target. */
  version: z.string(),
  isHosted: z.boolean().optional(),
  score: z.number(),
  /** Priority, citation bonus, region bonus, cost penalty and outage penalty. Their sum is the score. */
  terms: z.array(z.number()),
});
export type RouteCandidate = z.infer<typeof routeCandidateSchema>;

/** The decision about one intent. */
export const intentRouteSchema = z.looseObject({
  intent: z.string(),
  /** Name of the tool that the model reads. */
  tool: z.string(),
  isRequired: z.boolean().optional(),
  reason: intentReasonSchema,
  /** `shown`: in full. `deferred`: only through tool search, if the agent has it. `hidden`: not at all. */
  visibility: z.enum(["shown", "deferred", "hidden"]),
  /** The capability that serves it; null if none can. */
  chosen: z.string().nullable(),
  /** The capabilities that can serve it, best first. */
  candidates: z.array(routeCandidateSchema),
  /** The codes of the others, by their keys. */
  refused: z.record(z.string(), routeRefusalSchema),
  /** Number of excluded capabilities that are omitted to keep the event small. */
  omitted: z.int().min(1).optional(),
});
export type IntentRoute = z.infer<typeof intentRouteSchema>;

/** A rule that applies. */
export const appliedRuleSchema = z.looseObject({
  name: z.string(),
  intents: z.array(z.string()),
  toolChoice: z.enum(["auto", "required", "forbidden"]).optional(),
  strict: z.boolean().optional(),
});
export type AppliedRule = z.infer<typeof appliedRuleSchema>;

/** A decision about the tools of one model turn. It can be recomputed from its own fields. */
export const routeDecisionSchema = z.looseObject({
  turn: z.int().min(1),
  model: z.string(),
  /** The routing of the execution; absent fields have their defaults. */
  routing: z.looseObject(executionRoutingSchema.shape),
  rules: z.array(appliedRuleSchema),
  toolChoice: z.enum(["auto", "required", "forbidden"]),
  /** Whether the caller chose it. */
  isCallersChoice: z.boolean().optional(),
  intents: z.array(intentRouteSchema),
  /** The tools that the model is shown: their number, and the hash of their names. */
  shown: z.looseObject({ count: z.int().min(0), hash: z.string() }),
});
export type RouteDecision = z.infer<typeof routeDecisionSchema>;

/** The response of `POST /v1/agents/:id/route`. */
export const routePreviewSchema = openResponse(
  routeDecisionSchema.extend({
    /** Names of the tools that the first model turn would be shown. */
    tools: z.array(z.string()),
    /** Required intents that no capability serves. An execution would fail with `NO_ROUTE`. */
    unserved: z.array(z.string()),
    /** The routing scopes that the execution lacks, by the keys of the capabilities that are refused with `SCOPES`. */
    missingScopes: z.record(z.string(), z.array(z.string())).optional(),
  }),
).meta({ id: "RoutePreview" });
export type RoutePreview = z.infer<typeof routePreviewSchema>;
