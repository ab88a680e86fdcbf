import * as z from "zod";
import { auditEntryIdSchema, workspaceIdSchema } from "./ids.ts";
import { jsonObjectSchema, momentSchema, timestampSchema } from "./json.ts";
import { pageQuerySchema } from "./page.ts";

/** One state of a resource takes at most this many bytes of JSON in an audit entry. */
export const MAX_AUDITED_BYTES = 65_536;

/** Days that audit entries are kept where the gateway's configuration says nothing else. */
export const DEFAULT_AUDIT_RETENTION_DAYS = 90;

/** The media type of an export: one JSON text a line. */
export const JSON_LINES_TYPE = "application/x-ndjson";

const actorSchema = z.looseObject({
  /**
   * `api_key`; `bootstrap`: the key of the gateway's configuration; `operator`: a start of the gateway, by its
   * configuration. Later gateways may know more.
   */
  type: z.string(),
  /** Null for all but `api_key`. */
  keyId: z.string().nullable(),
  /** The name of the key when it was used. */
  keyName: z.string().nullable(),
  /** The workspace of the key, which is another than the entry's when an operator acts on a tenant. */
  workspaceId: z.string().nullable(),
});

/** A change of a workspace: who made it, from where, and what there was before and after it. */
export const auditEntrySchema = z
  .looseObject({
    id: auditEntryIdSchema,
    at: timestampSchema,
    workspaceId: workspaceIdSchema,
    actor: actorSchema,
    /** The client's address; null where no request made the change, and to a tenant where an operator did. */
    address: z.string().nullable(),
    /** As in the header `X-Request-Id` of the answer. */
    requestId: z.string().nullable(),
    /** What happened, such as `agent.updated`. */
    action: z.string(),
    resource: z.looseObject({ type: z.string(), id: z.string(), name: z.string().optional() }),
    /**
     * The resource as the API shows it, never a secret value; null: it was not there. One of more than 65,536 bytes of JSON is
     * `{ "omitted": "too_large", "bytes", "sha256" }`.
     */
    before: jsonObjectSchema.nullable(),
    /** Likewise; null: it is not there any more. */
    after: jsonObjectSchema.nullable(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

const filterTextSchema = z.string().min(1).max(200);

/** The query of `GET /v1/audit`; every filter that is given must hold. */
export const auditQuerySchema = pageQuerySchema.extend({
  /** An operator may name another workspace. */
  workspaceId: workspaceIdSchema.optional(),
  action: filterTextSchema.optional(),
  resourceType: filterTextSchema.optional(),
  resourceId: filterTextSchema.optional(),
  /** The id of an API key. */
  keyId: filterTextSchema.optional(),
  /** Entries from this moment on. */
  since: momentSchema.optional(),
  /** Entries before this moment. */
  until: momentSchema.optional(),
});
export type AuditQuery = z.input<typeof auditQuerySchema>;
