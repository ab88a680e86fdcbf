import { type QuotaUsage, toVisibleLine, toVisibleText, type WorkspaceUsage } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";

interface UsageOptions {
  readonly workspace?: string;
}

/** Prints how much of each quota the workspace uses. */
export async function printUsage(invocation: Invocation, { workspace }: UsageOptions): Promise<void> {
  const usage = await (await invocation.client()).usage.get({ workspaceId: workspace });
  invocation.output.result(usage, () => describe(usage));
}

function describe({ workspaceId, plan, quotas }: WorkspaceUsage): string {
  const rows = Object.entries(quotas).map(([name, usage]) => [
    nameOf(name, usage),
    String(usage.used),
    ...limitOf(usage),
  ]);
  return [
    toVisibleLine(`${workspaceId}, plan ${plan}`),
    "",
    table([["QUOTA", "USED", "LIMIT", "LEFT"], ...rows]),
    "",
    "* counted by each replica separately",
    ...Object.entries(quotas).flatMap(ageOf),
  ].join("\n");
}

function ageOf([name, { asOf, isPartial = false }]: readonly [string, QuotaUsage]): readonly string[] {
  if (asOf === undefined) return [];
  const rest = isPartial ? "; older rows are still being counted, so this is a lower bound" : "";
  return [`${toVisibleText(name)} as of ${toVisibleText(asOf)}${rest}`];
}

function nameOf(name: string, { countedBy }: QuotaUsage): string {
  return `${name}${countedBy === "replica" ? "*" : ""}`;
}

function limitOf({ limit, used }: QuotaUsage): readonly string[] {
  return limit === null ? ["unlimited", ""] : [String(limit), String(Math.max(0, limit - used))];
}
