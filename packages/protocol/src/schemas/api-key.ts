import * as z from "zod";
import { apiKeyIdSchema, workspaceIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { keyRoutingSchema } from "./routing.ts";
import { DEFAULT_SECRET_OVERLAP_SECONDS, MAX_SECRET_OVERLAP_SECONDS } from "./secret-overlap.ts";

/** What a key may do. No other scope includes `approvals` or `admin`. */
export const scopeSchema = z.enum([
  "agents",
  "executions",
  "fallback",
  "approvals",
  "secrets",
  "tools",
  "operations",
  "admin",
]);
export type Scope = z.infer<typeof scopeSchema>;
export const ALL_SCOPES = scopeSchema.options;

const nameSchema = z.string().trim().min(1).max(200);

export const createApiKeySchema = z
  .strictObject({
    name: nameSchema,
    /** The workspace of the new key. Default: the workspace of the key that sends the request. */
    workspaceId: workspaceIdSchema.optional(),
    scopes: z.array(scopeSchema).min(1),
    /** When the key expires. Null or absent: never. */
    expiresAt: timestampSchema.nullable().optional(),
    routing: keyRoutingSchema.nullable().optional(),
  })
  .meta({ id: "CreateApiKey" });

/** The body of `PATCH /v1/api-keys/:id`. Omitted fields keep their values. */
export const updateApiKeySchema = z
  .strictObject({
    name: nameSchema.optional(),
    /** When the key expires; null: never. */
    expiresAt: timestampSchema.nullable().optional(),
    routing: keyRoutingSchema.nullable().optional(),
  })
  .meta({ id: "UpdateApiKey" });
export type UpdateApiKey = z.input<typeof updateApiKeySchema>;

/** The body of `POST /v1/api-keys/:id/rotate`. */
export const rotateApiKeySchema = z
  .strictObject({
    /** How long the previous value of the key stays valid, in seconds: 0 to 7 days, default 24 hours. */
    overlapSeconds: z.int().min(0).max(MAX_SECRET_OVERLAP_SECONDS).default(DEFAULT_SECRET_OVERLAP_SECONDS),
  })
  .meta({ id: "RotateApiKey" });

// Responses from older gateways lack the following fields.
export const apiKeySchema = openResponse(
  z.looseObject({
    id: apiKeyIdSchema,
    name: z.string(),
    workspaceId: workspaceIdSchema,
    scopes: z.array(scopeSchema),
    createdAt: timestampSchema,
    /** When the key expires; null: never. */
    expiresAt: timestampSchema.nullable().default(null),
    /** When the key was last used, to the minute; null: never. */
    lastUsedAt: timestampSchema.nullable().default(null),
    /** When the value of the key was last replaced; null: never. */
    rotatedAt: timestampSchema.nullable().default(null),
    /** When the previous value of the key expires; null if there is none. */
    previousExpiresAt: timestampSchema.nullable().default(null),
    routing: openResponse(z.looseObject(keyRoutingSchema.shape)).nullable().default(null),
  }),
).meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKeySchema>;

/** The response to a request that creates a key or replaces its value. No other response contains the value. */
export const createdApiKeySchema = apiKeySchema.extend({ key: z.string() }).meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;
