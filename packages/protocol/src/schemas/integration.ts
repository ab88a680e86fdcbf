import * as z from "zod";
import { allowedDomainSchema } from "./domain.ts";
import { timestampSchema } from "./json.ts";
import { callLimitsSchema, planNameSchema } from "./plan.ts";
import { resourceNameSchema } from "./resource-name.ts";
import { warningSchema } from "./warning.ts";

/** The entry in an agent's integrations that enables its webhook URLs. No integration can have this name. */
export const WEBHOOK_INTEGRATION = "webhook";

/** Maximum number of integrations in one workspace. */
export const MAX_INTEGRATIONS = 200;

const MAX_DOMAINS = 100;
const MAX_PORTS = 20;

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

export const integrationNameSchema = resourceNameSchema.refine(
  (name) => name !== WEBHOOK_INTEGRATION,
  "expected another name: webhook is reserved for the webhook URLs of agents",
);

const description = z.string().max(2_000);
const allowedDomains = z.array(allowedDomainSchema).min(1).max(MAX_DOMAINS).overwrite(unique);
/** Ports that https URLs may use. */
const ports = z.array(z.int().min(1).max(65_535)).min(1).max(MAX_PORTS).overwrite(unique);
/** Limits on calls to these domains, keyed by the name of the plan. They apply in addition to the plan's own limits. */
const limits = z.record(planNameSchema, callLimitsSchema.partial());

/** The body of `POST /v1/integrations`. */
export const createIntegrationSchema = z
  .strictObject({
    name: integrationNameSchema,
    description: description.optional(),
    allowedDomains,
    ports: ports.default([443]),
    limits: limits.optional(),
  })
  .meta({ id: "CreateIntegration" });
export type CreateIntegration = z.input<typeof createIntegrationSchema>;

/** The body of `PATCH /v1/integrations/:name`. If `version` is set, it must be the current version. */
export const updateIntegrationSchema = z
  .strictObject({
    version: z.int().min(1).optional(),
    description: description.nullable().optional(),
    allowedDomains: allowedDomains.optional(),
    ports: ports.optional(),
    limits: limits.nullable().optional(),
  })
  .meta({ id: "UpdateIntegration" });
export type UpdateIntegration = z.input<typeof updateIntegrationSchema>;

/** A named list of domains that agents can enable. */
export const integrationSchema = z
  .looseObject({
    name: z.string(),
    version: z.int().min(1),
    description: z.string().optional(),
    allowedDomains: z.array(z.string()),
    ports: z.array(z.int()),
    limits: z.record(z.string(), z.looseObject(callLimitsSchema.partial().shape)).optional(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    /** Only in responses to requests that save the integration. */
    warnings: z.array(warningSchema).optional(),
  })
  .meta({ id: "Integration" });
export type Integration = z.infer<typeof integrationSchema>;
