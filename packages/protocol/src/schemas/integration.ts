import * as z from "zod";
import { allowedDomainSchema } from "./domain.ts";
import { timestampSchema } from "./json.ts";
import { resourceNameSchema } from "./names.ts";
import { callLimitsSchema, planNameSchema } from "./plan.ts";
import { warningSchema } from "./warning.ts";

/** What an agent lists among its integrations to turn on its webhook URLs; no integration can be named so. */
export const WEBHOOK_INTEGRATION = "webhook";

/** Most integrations of one workspace. */
export const MAX_INTEGRATIONS = 200;

const MAX_DOMAINS = 100;
const MAX_PORTS = 20;

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

export const integrationNameSchema = resourceNameSchema.refine(
  (name) => name !== WEBHOOK_INTEGRATION,
  "expected another name: webhook stands for an agent's webhook URLs",
);

const description = z.string().max(2_000);
const allowedDomains = z.array(allowedDomainSchema).min(1).max(MAX_DOMAINS).overwrite(unique);
/** Ports of https URLs. */
const ports = z.array(z.int().min(1).max(65_535)).min(1).max(MAX_PORTS).overwrite(unique);
/** By the name of a plan: what holds for calls to these domains, beside the plan's own limits. */
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

/** The body of `PATCH /v1/integrations/:name`; `version`, when given, must be the current one. */
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

/** Domains under a name, which agents enable by that name. */
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
    /** Only in the answers to saving. */
    warnings: z.array(warningSchema).optional(),
  })
  .meta({ id: "Integration" });
export type Integration = z.infer<typeof integrationSchema>;
