import type { Integration } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";

/** Prints the workspace's integrations, ordered by name. */
export async function listIntegrations(invocation: Invocation): Promise<void> {
  const integrations = await (await invocation.client()).integrations.list({ limit: 200 }).toArray();
  invocation.output.result(integrations, () => describeAll(integrations));
}

/** Prints one integration. */
export async function showIntegration(invocation: Invocation, name: string): Promise<void> {
  const integration = await (await invocation.client()).integrations.get(name);
  invocation.output.result(integration, () => describe(integration));
}

function describeAll(integrations: readonly Integration[]): string {
  if (integrations.length === 0) return "There are no integrations in this workspace.";
  const rows = integrations.map(({ name, version, allowedDomains, ports }) => [
    name,
    String(version),
    ports.join(","),
    allowedDomains.join(","),
  ]);
  return table([["NAME", "VERSION", "PORTS", "DOMAINS"], ...rows]);
}

function describe({ name, version, description, allowedDomains, ports, limits = {}, updatedAt }: Integration): string {
  const limitsOf = (figures: object) =>
    Object.entries(figures)
      .map(([figure, value]) => `${figure} ${value}`)
      .join(", ");
  return table([
    ["name", name],
    ["version", `${version}, ${updatedAt}`],
    ...(description === undefined ? [] : [["description", description]]),
    ["domains", allowedDomains.join(", ")],
    ["ports", ports.join(", ")],
    ...Object.entries(limits).map(([plan, figures]) => [`limits (${plan})`, limitsOf(figures)]),
  ]);
}
