import * as z from "zod";
import { auditEntryIdSchema, workspaceIdSchema } from "./ids.ts";
import { jsonObjectSchema, momentSchema, timestampSchema } from "./json.ts";
import { pageQuerySchema } from "./page.ts";

/** Maximum size of one state of a resource in an audit entry, in bytes of JSON. */
export const MAX_AUDITED_BYTES = 65_536;

/** Default retention of audit entries in days. */
export const DEFAULT_AUDIT_RETENTION_DAYS = 90;

/** The media type of an export: one JSON text per line. */
export const JSON_LINES_TYPE = "application/x-ndjson";

const actorSchema = z.looseObject({
  /**
   * `api_key`; `bootstrap`: the key in the gateway's configuration; `operator`: a start of the gateway with its
   * configuration. Newer gateways may send others.
   */
  type: z.string(),
  /** Null except for `api_key`. */
  keyId: z.string().nullable(),
  /** The name of the key when it was used. */
  keyName: z.string().nullable(),
  /** The workspace of the key; another one than the entry's if an operator changed a tenant. */
  workspaceId: z.string().nullable(),
});

/** A change of a workspace: who made it, from where, and the state before and after. */
export const auditEntrySchema = z
  .looseObject({
    id: auditEntryIdSchema,
    at: timestampSchema,
    workspaceId: workspaceIdSchema,
    actor: actorSchema,
    /** The client's address; null if no request made the change, and for tenants if an operator did. */
    address: z.string().nullable(),
    /** The value of the response header `X-Request-Id`. */
    requestId: z.string().nullable(),
    /** What happened, such as `agent.updated`. */
    action: z.string(),
    resource: z.looseObject({ type: z.string(), id: z.string(), name: z.string().optional() }),
    /**
     * The resource as the API shows it, never with a secret value; null if it did not exist. More than 65,536 bytes of
     * JSON become `{ "omitted": "too_large", "bytes", "sha256" }`.
     */
    before: jsonObjectSchema.nullable(),
    /** Like `before`; null if it no longer exists. */
    after: jsonObjectSchema.nullable(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

const filterTextSchema = z.string().min(1).max(200);

/** The query of `GET /v1/audit`. All given filters must match. */
export const auditQuerySchema = pageQuerySchema.extend({
  /** An operator may name another workspace. */
  workspaceId: workspaceIdSchema.optional(),
  action: filterTextSchema.optional(),
  resourceType: filterTextSchema.optional(),
  resourceId: filterTextSchema.optional(),
  /** The id of an API key. */
  keyId: filterTextSchema.optional(),
  /** Entries from this time on. */
  since: momentSchema.optional(),
  /** Entries before this time. */
  until: momentSchema.optional(),
});
export type AuditQuery = z.input<typeof auditQuerySchema>;
