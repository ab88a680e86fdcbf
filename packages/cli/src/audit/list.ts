import type { AuditEntry } from "@yagate/client";
import { defined } from "@yagate/lib/objects/defined";
import type { Invocation } from "../frame/invocation.ts";
import { listLimitOf } from "../list-limit.ts";
import { momentOf } from "../moment.ts";
import { printList } from "../print-list.ts";
import { table } from "../text/table.ts";

const PAGE_LIMIT = 200;

const FILTERS =
  "Filters match complete values: --type agent, --action agent.updated, and ids such as agt_… and key_… for --resource and --key.";

export interface AuditOptions {
  readonly since?: string;
  readonly until?: string;
  readonly action?: string;
  readonly type?: string;
  readonly resource?: string;
  readonly key?: string;
  readonly workspace?: string;
  readonly limit?: string;
}

/**
 * Prints entries of the audit log, as columns or as one line of JSON each.
 *
 * @throws YagateError `INVALID_REQUEST` if a time or a number cannot be parsed.
 */
export async function listAudit(invocation: Invocation, options: AuditOptions): Promise<void> {
  const { since, until, action, type, resource, key, workspace } = options;
  const { output } = invocation;
  const limit = listLimitOf(options.limit, output);
  const entries = (await invocation.client()).audit.list({
    limit: Math.min(PAGE_LIMIT, limit),
    ...(since === undefined ? {} : { since: momentOf(since, "--since", "ago") }),
    ...(until === undefined ? {} : { until: momentOf(until, "--until", "ago") }),
    ...defined({ action, resourceType: type, resourceId: resource, keyId: key, workspaceId: workspace }),
  });
  const more = "There are more entries: use --limit and --since.";
  const count = await printList(output, entries, { limit, describe, more });
  const filters = [action, type, resource, key];
  // A filter with an unknown value must fail instead of printing an empty result.
  if (count === 0 && filters.some((filter) => filter !== undefined)) output.note(FILTERS);
}

function describe(entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return "No entry matches.";
  const rows = entries.map(({ at, action, resource, actor, address }) => [
    ...[at, action, resource.id, resource.name ?? "-"],
    ...[actor.keyId ?? actor.type, actor.keyName ?? "-", address ?? "-"],
  ]);
  return table([["AT", "ACTION", "RESOURCE", "NAME", "BY", "KEY NAME", "ADDRESS"], ...rows]);
}
