import * as z from "zod";
import { apiKeyIdSchema, workspaceIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { DEFAULT_SECRET_OVERLAP_SECONDS, MAX_SECRET_OVERLAP_SECONDS } from "./secret-overlap.ts";

/** What a key may do. `approvals` and `admin` are never implied by another. */
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
const wordSchema = z.string().trim().min(1).max(100);

/** What bounds the routing of the executions that a key starts. It is stored, and no execution is bounded by it yet. */
export const keyRoutingSchema = z.strictObject({
  /** The only routing scopes that its requests may bring. */
  scopes: z.array(wordSchema).max(100).optional(),
  /** The least strict class that its requests may say their data is of. */
  dataClass: z.enum(["public", "internal", "confidential"]).optional(),
  region: wordSchema.optional(),
  maxCostClass: z.enum(["low", "medium", "high"]).optional(),
  /** Whether its requests may bring recorded answers. */
  recordings: z.boolean().optional(),
});
export type KeyRouting = z.infer<typeof keyRoutingSchema>;

export const createApiKeySchema = z
  .strictObject({
    name: nameSchema,
    /** The key's workspace; the caller's own otherwise. */
    workspaceId: workspaceIdSchema.optional(),
    scopes: z.array(scopeSchema).min(1),
    /** From this moment on the key is refused; null or absent: never. */
    expiresAt: timestampSchema.nullable().optional(),
    routing: keyRoutingSchema.nullable().optional(),
  })
  .meta({ id: "CreateApiKey" });

/** The body of `PATCH /v1/api-keys/:id`; what is left out stays as it is. */
export const updateApiKeySchema = z
  .strictObject({
    name: nameSchema.optional(),
    /** Null: it does not expire. */
    expiresAt: timestampSchema.nullable().optional(),
    routing: keyRoutingSchema.nullable().optional(),
  })
  .meta({ id: "UpdateApiKey" });
export type UpdateApiKey = z.input<typeof updateApiKeySchema>;

/** The body of `POST /v1/api-keys/:id/rotate`. */
export const rotateApiKeySchema = z
  .strictObject({
    /** How long the previous text still lets in: 0 to 7 days, default 24 h. */
    overlapSeconds: z.int().min(0).max(MAX_SECRET_OVERLAP_SECONDS).default(DEFAULT_SECRET_OVERLAP_SECONDS),
  })
  .meta({ id: "RotateApiKey" });

// Gateways before these fields leave them out.
export const apiKeySchema = openResponse(
  z.looseObject({
    id: apiKeyIdSchema,
    name: z.string(),
    workspaceId: workspaceIdSchema,
    scopes: z.array(scopeSchema),
    createdAt: timestampSchema,
    /** From this moment on it is refused; null: never. */
    expiresAt: timestampSchema.nullable().default(null),
    /** When it let a request in, to the minute; null: not yet. */
    lastUsedAt: timestampSchema.nullable().default(null),
    /** When its text was last exchanged; null: it has the text that it was made with. */
    rotatedAt: timestampSchema.nullable().default(null),
    /** Until when the text before that lets in; null where there is none. */
    previousExpiresAt: timestampSchema.nullable().default(null),
    routing: openResponse(z.looseObject(keyRoutingSchema.shape)).nullable().default(null),
  }),
).meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKeySchema>;

/** The answer that makes a key, or exchanges its text: the only time that the text is shown. */
export const createdApiKeySchema = apiKeySchema.extend({ key: z.string() }).meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;
