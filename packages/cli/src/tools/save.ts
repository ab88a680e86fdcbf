import { createWorkspaceToolSchema, updateWorkspaceToolSchema, type WorkspaceTool } from "@yagate/protocol";
import { checkedBody } from "../checked-body.ts";
import { gatewayClient } from "../gateway-client.ts";
import { readJson } from "../read-text.ts";
import { findTool } from "./find-tool.ts";

/** Makes a tool of what a file says. @throws YagateError `INVALID_REQUEST` for what can't be one. */
export async function createTool(file: string, { draft = false }: { readonly draft?: boolean }): Promise<void> {
  const client = gatewayClient();
  const body = { ...(await readJson(file)), ...(draft ? { draft } : {}) };
  say(await client.tools.create(checkedBody(createWorkspaceToolSchema, body)), "was created");
}

/** Changes what a file gives of a tool. @throws YagateError `INVALID_REQUEST`; `CONFLICT` when somebody was quicker. */
export async function updateTool(nameOrId: string, file: string): Promise<void> {
  const client = gatewayClient();
  const change = checkedBody(updateWorkspaceToolSchema, await readJson(file));
  const { id } = await findTool(client, nameOrId);
  say(await client.tools.update(id, change), "was changed");
}

/** Archives a tool. */
export async function deleteTool(nameOrId: string): Promise<void> {
  const client = gatewayClient();
  const { id, name } = await findTool(client, nameOrId);
  await client.tools.delete(id);
  console.log(`${name} was archived.`);
}

function say({ id, name, version, status, problems = [] }: WorkspaceTool, what: string): void {
  console.log(`${name} ${what}: ${id}, version ${version}, ${status}.`);
  for (const { path, message } of problems) console.log(`  ${path}: ${message}`);
}
