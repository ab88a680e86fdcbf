import { type Integration, toVisibleText } from "@yagate/protocol";
import { gatewayClient } from "../gateway-client.ts";
import { table } from "../table.ts";

interface ShowOptions {
  readonly json?: boolean;
}

/** Prints the workspace's integrations, in the order of their names. */
export async function listIntegrations({ json = false }: ShowOptions): Promise<void> {
  const integrations = await gatewayClient().integrations.list({ limit: 200 }).toArray();
  console.log(json ? toVisibleText(JSON.stringify(integrations, null, 2)) : describeAll(integrations));
}

/** Prints one integration. */
export async function showIntegration(name: string, { json = false }: ShowOptions): Promise<void> {
  const integration = await gatewayClient().integrations.get(name);
  console.log(json ? toVisibleText(JSON.stringify(integration, null, 2)) : describe(integration));
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
