import { type Toolkit, toVisibleLine, toVisibleText } from "@yagate/protocol";
import { gatewayClient } from "../gateway-client.ts";
import { table } from "../table.ts";
import { findToolkit } from "./find-toolkit.ts";

/** Prints the workspace's toolkits, newest first. */
export async function listToolkits({ json = false }: { readonly json?: boolean }): Promise<void> {
  const toolkits = await gatewayClient().toolkits.list({ limit: 200 }).toArray();
  console.log(json ? toVisibleText(JSON.stringify(toolkits, null, 2)) : describeAll(toolkits));
}

/** Prints one toolkit with its tools as JSON. */
export async function showToolkit(nameOrId: string): Promise<void> {
  console.log(toVisibleText(JSON.stringify(await findToolkit(gatewayClient(), nameOrId), null, 2)));
}

/** Makes every validated tool of a toolkit one that agents can use. @throws YagateError `CONFLICT` when there is none. */
export async function finalizeToolkit(nameOrId: string): Promise<void> {
  const client = gatewayClient();
  const { name, tools } = await client.toolkits.finalize((await findToolkit(client, nameOrId)).id);
  console.log(toVisibleLine(`Of ${name}, agents can use ${countOf(tools)} of ${tools.length} tools.`));
  for (const tool of tools) console.log(`  ${[tool.name, tool.status, tool.id].map(toVisibleLine).join("  ")}`);
}

/** Deletes a toolkit. */
export async function deleteToolkit(
  nameOrId: string,
  { archiveTools = false }: { readonly archiveTools?: boolean },
): Promise<void> {
  const client = gatewayClient();
  const { id, name } = await findToolkit(client, nameOrId);
  await client.toolkits.delete(id, archiveTools ? { tools: "archive" } : {});
  const rest = archiveTools ? "tools of it that were not created yet were archived" : "its tools stay";
  console.log(toVisibleLine(`${name} was deleted; ${rest}.`));
}

function describeAll(toolkits: readonly Toolkit[]): string {
  if (toolkits.length === 0) return "There are no toolkits in this workspace.";
  const rows = toolkits.map(({ id, name, credential, tools }) => [
    ...[id, `${countOf(tools)}/${tools.length}`, credential ?? "-", name],
  ]);
  return table([["ID", "READY", "CREDENTIAL", "NAME"], ...rows]);
}

/** Tools that agents can use. */
function countOf(tools: Toolkit["tools"]): number {
  return tools.filter(({ status }) => status === "created").length;
}
