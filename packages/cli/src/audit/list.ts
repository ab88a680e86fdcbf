import type { AuditEntry } from "@yagate/client";
import { toVisibleLine, YagateError } from "@yagate/protocol";
import { gatewayClient } from "../gateway-client.ts";
import { momentOf } from "../moment.ts";
import { table } from "../table.ts";

const DEFAULT_LIMIT = 50;
const PAGE_LIMIT = 200;

const FILTERS =
  "A filter matches whole values only: --type agent, --action agent.updated, --resource and --key by id, such as agt_… and key_….";

export interface AuditOptions {
  readonly since?: string;
  readonly until?: string;
  readonly action?: string;
  readonly type?: string;
  readonly resource?: string;
  readonly key?: string;
  readonly workspace?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/**
 * Prints entries of the audit log: in columns, or each whole as a line of JSON.
 *
 * @throws YagateError `INVALID_REQUEST` when a time or a number cannot be parsed.
 */
export async function listAudit(options: AuditOptions): Promise<void> {
  const { since, until, action, type, resource, key, workspace, json = false } = options;
  const limit = limitOf(options.limit, json ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT);
  const entries = gatewayClient().audit.list({
    limit: Math.min(PAGE_LIMIT, limit),
    ...(since === undefined ? {} : { since: momentOf(since, "--since", "ago") }),
    ...(until === undefined ? {} : { until: momentOf(until, "--until", "ago") }),
    ...(action === undefined ? {} : { action }),
    ...(type === undefined ? {} : { resourceType: type }),
    ...(resource === undefined ? {} : { resourceId: resource }),
    ...(key === undefined ? {} : { keyId: key }),
    ...(workspace === undefined ? {} : { workspaceId: workspace }),
  });
  const shown: AuditEntry[] = [];
  let count = 0;
  for await (const entry of entries) {
    count += 1;
    if (count > limit) break;
    // Printed as they come: a whole log need not fit into memory.
    if (json) console.log(toVisibleLine(JSON.stringify(entry)));
    else shown.push(entry);
  }
  if (!json) console.log(describe(shown));
  const filters = [action, type, resource, key];
  // An audit that asks for what there is not must not read like one that found nothing.
  if (count === 0 && filters.some((filter) => filter !== undefined)) console.error(FILTERS);
  if (count > limit) console.error("There are more: see --limit and --since.");
}

function limitOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new YagateError("INVALID_REQUEST", "expected --limit to be a whole number from 1 on", {
    hint: "Nothing was sent.",
  });
}

function describe(entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return "There are none.";
  const rows = entries.map(({ at, action, resource, actor, address }) => [
    ...[at, action, resource.id, resource.name ?? "-"],
    ...[actor.keyId ?? actor.type, actor.keyName ?? "-", address ?? "-"],
  ]);
  return table([["AT", "ACTION", "RESOURCE", "NAME", "BY", "KEY NAME", "ADDRESS"], ...rows]);
}
