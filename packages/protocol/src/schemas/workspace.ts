import * as z from "zod";
import { endpointIdSchema, signingSecretIdSchema, workspaceIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { DEFAULT_PLAN, planNameSchema } from "./plan.ts";
import { resourceNameSchema } from "./resource-name.ts";
import { DEFAULT_SECRET_OVERLAP_SECONDS, MAX_SECRET_OVERLAP_SECONDS } from "./secret-overlap.ts";

/** A unit of isolation: agents, executions, keys and secrets of a workspace are invisible to all other workspaces. */
export const workspaceSchema = z
  .looseObject({
    id: workspaceIdSchema,
    name: z.string(),
    /** Name of the plan, which sets limits, costs and quotas. */
    plan: z.string(),
    /** Whether ended calls may be redelivered to any URL. Older gateways omit it. */
    development: z.boolean().optional(),
    createdAt: timestampSchema,
  })
  .meta({ id: "Workspace" });
export const createWorkspaceSchema = z
  .strictObject({ name: resourceNameSchema, plan: planNameSchema.default(DEFAULT_PLAN) })
  .meta({ id: "CreateWorkspace" });
/** The body of `PATCH /v1/workspaces/:id`. */
export const updateWorkspaceSchema = z.strictObject({ plan: planNameSchema }).meta({ id: "UpdateWorkspace" });
export type Workspace = z.infer<typeof workspaceSchema>;

/** A signing secret without its value. */
export const signingSecretSchema = z
  .looseObject({
    id: signingSecretIdSchema,
    name: resourceNameSchema,
    createdAt: timestampSchema,
    /** When the secret stops signing; null for the current secret. */
    expiresAt: timestampSchema.nullable(),
  })
  .meta({ id: "SigningSecret" });
export type SigningSecret = z.infer<typeof signingSecretSchema>;

export const rotateSigningSecretSchema = z
  .strictObject({
    name: resourceNameSchema.default("default"),
    /** How long the previous secret continues to sign, in seconds: 0 to 7 days, default 24 hours. */
    overlapSeconds: z.int().min(0).max(MAX_SECRET_OVERLAP_SECONDS).default(DEFAULT_SECRET_OVERLAP_SECONDS),
  })
  .meta({ id: "RotateSigningSecret" });

/** A new signing secret. No other response contains its value. */
export const rotatedSigningSecretSchema = z
  .looseObject({
    id: signingSecretIdSchema,
    name: resourceNameSchema,
    secret: z.string(),
    createdAt: timestampSchema,
    previousExpiresAt: timestampSchema.nullable(),
  })
  .meta({ id: "RotatedSigningSecret" });
export type RotatedSigningSecret = z.infer<typeof rotatedSigningSecretSchema>;

export const createdWorkspaceSchema = workspaceSchema
  .extend({ signingSecret: z.string() })
  .meta({ id: "CreatedWorkspace" });
export type CreatedWorkspace = z.infer<typeof createdWorkspaceSchema>;

/**
 * A handler URL to which calls from the workspace were sent. `inFlight`, `queued` and `circuit` describe the replica
 * that responds.
 */
export const endpointSchema = openResponse(
  z.looseObject({
    id: endpointIdSchema,
    url: z.string(),
    status: z.enum(["enabled", "disabled"]),
    disabledAt: timestampSchema.nullable(),
    reason: z.string().nullable(),
    /** Attempts that have no response yet. */
    inFlight: z.int().min(0),
    /** Attempts that are waiting for an endpoint slot. */
    queued: z.int().min(0),
    circuit: z.looseObject({
      /**
       * `open`: attempts are blocked. `half_open`: one attempt is allowed, and its outcome decides whether the circuit
       * closes.
       */
      state: z.enum(["closed", "open", "half_open"]),
      /**
       * Attempts in the last minute, and how many of them failed. While the circuit is not closed, they are the numbers
       * that opened it.
       */
      attempts: z.int().min(0),
      failures: z.int().min(0),
      /** When an open circuit allows the next attempt. */
      retryAt: timestampSchema.nullable(),
    }),
  }),
).meta({ id: "Endpoint" });
export type Endpoint = z.infer<typeof endpointSchema>;
