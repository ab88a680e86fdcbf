import {
  createWorkspaceToolSchema,
  type JsonObject,
  toVisibleLine,
  updateWorkspaceToolSchema,
  type WorkspaceTool,
} from "@yagate/protocol";
import { checkedBody } from "../checked-body.ts";
import { gatewayClient } from "../gateway-client.ts";
import { readJson } from "../read-text.ts";
import { findTool } from "./find-tool.ts";
import { printFindings } from "./print-findings.ts";

/** Makes a tool of what a file says. @throws YagateError `INVALID_REQUEST` for what can't be one. */
export async function createTool(file: string, { draft = false }: { readonly draft?: boolean }): Promise<void> {
  const client = gatewayClient();
  const body = { ...(await readTool(file)), ...(draft ? { draft } : {}) };
  say(await client.tools.create(checkedBody(createWorkspaceToolSchema, body)), "was created");
}

/** Changes what a file gives of a tool. @throws YagateError `INVALID_REQUEST`; `CONFLICT` when somebody was quicker. */
export async function updateTool(nameOrId: string, file: string): Promise<void> {
  const client = gatewayClient();
  const change = checkedBody(updateWorkspaceToolSchema, await readTool(file));
  const { id } = await findTool(client, nameOrId);
  say(await client.tools.update(id, change), "was changed");
}

/** Archives a tool. */
export async function deleteTool(nameOrId: string): Promise<void> {
  const client = gatewayClient();
  const { id, name } = await findTool(client, nameOrId);
  await client.tools.delete(id);
  console.log(toVisibleLine(`${name} was archived.`));
}

/** A file may hold the definition alone. */
async function readTool(file: string): Promise<JsonObject> {
  const body = await readJson(file);
  const isDefinition = ["rest", "handler", "implementation"].some((field) => field in body);
  return isDefinition && !("definition" in body) ? { definition: body } : body;
}

function say(tool: WorkspaceTool, what: string): void {
  const { id, name, version, status } = tool;
  console.log(toVisibleLine(`${name} ${what}: ${id}, version ${version}, ${status}.`));
  printFindings(tool);
}
