import {
  type AuditEntry,
  auditEntrySchema,
  auditQuerySchema,
  DEFAULT_PAGE_LIMIT,
  JSON_LINES_TYPE,
  MAX_PAGE_LIMIT,
  pageSchema,
} from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { AuditFilter, AuditStore, WorkspaceStore } from "@yagate/store/port";
import type * as z from "zod";
import { createAdministeredWorkspace } from "../requests/administered-workspace.ts";
import { idPageQuerySchema } from "../requests/paging.ts";
import { namesType } from "../requests/request-preferences.ts";
import { writeJsonLines } from "../responses/json-lines.ts";
import { defineRoute, type Route } from "../route.ts";

export interface AuditRouteOptions {
  readonly audit: Pick<AuditStore, "list">;
  readonly workspaces: Pick<WorkspaceStore, "find">;
  /** The workspace whose admin keys may read the log of any workspace. */
  readonly operatorWorkspaceId: string;
}

const querySchema = auditQuerySchema.extend({
  cursor: idPageQuerySchema.shape.cursor,
  // If the limit is omitted, an export contains every entry in the range, and a page has the default length.
  limit: idPageQuerySchema.shape.limit.unwrap().optional(),
});

export function auditRoutes({ audit, workspaces, operatorWorkspaceId }: AuditRouteOptions): readonly Route[] {
  const workspaceOf = createAdministeredWorkspace(workspaces, operatorWorkspaceId);
  return [
    defineRoute({
      name: "listAuditEntries",
      method: "get",
      path: "/v1/audit",
      summary: "List audit entries, newest first",
      description:
        "Each entry describes one change in a workspace and names its author. Operators may specify another workspace. With `Accept: application/x-ndjson`, the response contains all matching entries, one per line, without pages.",
      tag: "audit",
      scopes: ["admin"],
      problems: ["NOT_FOUND"],
      query: querySchema,
      headers: { Accept: `${JSON_LINES_TYPE}: all matching entries, one per line` },
      isJsonLines: true,
      status: 200,
      response: pageSchema(auditEntrySchema),
      async handle({ principal, query, headers, response, signal }) {
        const { workspaceId: wanted, limit, cursor, ...given } = query;
        const workspaceId = await workspaceOf(principal, wanted);
        const filter = toFilter(workspaceId, given);
        const read: AuditStore["list"] = async (range, page) => {
          const { data, nextCursor } = await audit.list(range, { ...page, signal });
          return { data: data.map((entry) => shownTo(principal, entry, operatorWorkspaceId)), nextCursor };
        };
        if (!namesType(headers.accept, JSON_LINES_TYPE)) {
          return { status: 200, body: await read(filter, { limit: limit ?? DEFAULT_PAGE_LIMIT, cursor }) };
        }
        await writeJsonLines(response, entriesOf(read, filter, { limit, cursor }), signal);
        return "streamed";
      },
    }),
  ];
}

/**
 * Returns the entry without the client address, unless the reader belongs to the operator's workspace or to the
 * workspace of the actor.
 */
function shownTo({ workspaceId }: Principal, entry: AuditEntry, operatorWorkspaceId: string): AuditEntry {
  const isOwn = workspaceId === operatorWorkspaceId || workspaceId === entry.actor.workspaceId;
  return isOwn ? entry : { ...entry, address: null };
}

type Given = Omit<z.output<typeof querySchema>, "workspaceId" | "limit" | "cursor">;

function toFilter(workspaceId: string, { since, until, ...given }: Given): AuditFilter {
  return {
    workspaceId,
    ...given,
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
  };
}

/** Reads the entries page by page, so that a log of any length needs only the memory for one page. */
async function* entriesOf(
  read: AuditStore["list"],
  filter: AuditFilter,
  {
    limit = Number.POSITIVE_INFINITY,
    cursor,
  }: { readonly limit: number | undefined; readonly cursor: string | undefined },
) {
  let left = limit;
  let next: string | null | undefined = cursor;
  while (next !== null && left > 0) {
    const page: Awaited<ReturnType<AuditStore["list"]>> = await read(filter, {
      limit: Math.min(MAX_PAGE_LIMIT, left),
      cursor: next,
    });
    yield page.data;
    left -= page.data.length;
    next = page.nextCursor;
  }
}
