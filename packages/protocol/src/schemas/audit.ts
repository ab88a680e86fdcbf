import * as z from "zod";
import { auditEntryIdSchema, workspaceIdSchema } from "./ids.ts";
import { jsonObjectSchema, momentSchema, timestampSchema } from "./json.ts";
import { pageQuerySchema } from "./page.ts";

/** Maximum size of one state of a resource in an audit entry, in bytes of JSON. */
export const MAX_AUDITED_BYTES = 65_536;

/** Default retention of audit entries in days. */
export const DEFAULT_AUDIT_RETENTION_DAYS = 90;

/** The media type of an export: one JSON value per line. */
export const JSON_LINES_TYPE = "application/x-ndjson";

const actorSchema = z.looseObject({
  /**
   * `api_key`: an API key of a workspace. `bootstrap`: the key in the gateway's configuration. `operator`: the
   * gateway's configuration, which is applied at startup. `schedule`: a sync of a tool source that the gateway started
   * itself. `oidc`: an OAuth access token. Newer gateways may send other types.
   */
  type: z.string(),
  /** Id of the API key, or `oidc:<issuer>:<sub>` for an access token; null for other types. */
  keyId: z.string().nullable(),
  /** The name that the key had at the time of the change. */
  keyName: z.string().nullable(),
  /** The key's workspace. It differs from the entry's workspace if an operator changed another workspace. */
  workspaceId: z.string().nullable(),
});

/** A change to a workspace: who made it, from where, and the state before and after. */
export const auditEntrySchema = z
  .looseObject({
    id: auditEntryIdSchema,
    at: timestampSchema,
    workspaceId: workspaceIdSchema,
    actor: actorSchema,
    /**
     * The client's address. Null if the change was not made by a request. If an operator of another workspace made the
     * change, it is also null for readers in this workspace.
     */
    address: z.string().nullable(),
    /** The value of the response header `X-Request-Id`. */
    requestId: z.string().nullable(),
    /** What happened, such as `agent.updated`. */
    action: z.string(),
    resource: z.looseObject({ type: z.string(), id: z.string(), name: z.string().optional() }),
    /**
     * The resource before the change, as the API shows it, never with a secret value; null if it did not exist. A
     * resource with more than 65,536 bytes of JSON is replaced by `{ "omitted": "too_large", "bytes", "sha256" }`.
     */
    before: jsonObjectSchema.nullable(),
    /** The resource after the change, in the same form as `before`; null if it no longer exists. */
    after: jsonObjectSchema.nullable(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

const filterTextSchema = z.string().min(1).max(200);

/** The query of `GET /v1/audit`. All given filters must match. */
export const auditQuerySchema = pageQuerySchema.extend({
  /** The workspace whose entries are listed. Default: the key's workspace. Only an operator may set another one. */
  workspaceId: workspaceIdSchema.optional(),
  action: filterTextSchema.optional(),
  resourceType: filterTextSchema.optional(),
  resourceId: filterTextSchema.optional(),
  /** Only changes that this API key made. */
  keyId: filterTextSchema.optional(),
  /** Only entries at or after this time. */
  since: momentSchema.optional(),
  /** Only entries before this time. */
  until: momentSchema.optional(),
});
export type AuditQuery = z.input<typeof auditQuerySchema>;
