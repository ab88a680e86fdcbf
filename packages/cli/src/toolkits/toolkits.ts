import { type Toolkit, toVisibleLine } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";
import { findToolkit } from "./find-toolkit.ts";

/** Prints the workspace's toolkits, newest first. */
export async function listToolkits(invocation: Invocation): Promise<void> {
  const client = await invocation.client();
  const toolkits = await client.toolkits.list({ limit: 200 }).toArray();
  invocation.output.result(toolkits, () => describeAll(toolkits));
}

/** Prints one toolkit with its tools as JSON. */
export async function showToolkit(invocation: Invocation, nameOrId: string): Promise<void> {
  invocation.output.document(await findToolkit(await invocation.client(), nameOrId));
}

/**
 * Makes all validated tools of a toolkit available to agents.
 *
 * @throws YagateError `CONFLICT` if no tool is validated.
 */
export async function finalizeToolkit(invocation: Invocation, nameOrId: string): Promise<void> {
  const client = await invocation.client();
  const toolkit = await client.toolkits.finalize((await findToolkit(client, nameOrId)).id);
  const { name, tools } = toolkit;
  invocation.output.result(toolkit, () => {
    const rows = tools.map((tool) => `  ${[tool.name, tool.status, tool.id].map(toVisibleLine).join("  ")}`);
    return [toVisibleLine(`${name}: agents can use ${countOf(tools)} of ${tools.length} tools.`), ...rows].join("\n");
  });
}

/** Deletes a toolkit. */
export async function deleteToolkit(
  invocation: Invocation,
  nameOrId: string,
  { archiveTools = false }: { readonly archiveTools?: boolean },
): Promise<void> {
  const client = await invocation.client();
  const { id, name } = await findToolkit(client, nameOrId);
  await invocation.confirm(toVisibleLine(`Delete the toolkit ${name} (${id})?`));
  await client.toolkits.delete(id, archiveTools ? { tools: "archive" } : {});
  const rest = archiveTools ? "its tools that agents could not use yet were archived" : "its tools were kept";
  invocation.output.done({ type: "toolkit", id, name, deleted: true }, `${name} was deleted; ${rest}.`);
}

function describeAll(toolkits: readonly Toolkit[]): string {
  if (toolkits.length === 0) return "There are no toolkits in this workspace.";
  const rows = toolkits.map(({ id, name, credential, tools }) => [
    ...[id, `${countOf(tools)}/${tools.length}`, credential ?? "-", name],
  ]);
  return table([["ID", "READY", "CREDENTIAL", "NAME"], ...rows]);
}

/** Counts the tools that agents can use. */
function countOf(tools: Toolkit["tools"]): number {
  return tools.filter(({ status }) => status === "created").length;
}
