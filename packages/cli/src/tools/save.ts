import {
  createWorkspaceToolSchema,
  type JsonObject,
  toVisibleLine,
  updateWorkspaceToolSchema,
  type WorkspaceTool,
} from "@yagate/protocol";
import { checkedBody } from "../frame/checked-body.ts";
import type { Invocation } from "../frame/invocation.ts";
import { readJson } from "../read-text.ts";
import { findTool } from "./find-tool.ts";
import { findingsOf } from "./findings.ts";

/**
 * Creates a tool from a file.
 *
 * @throws YagateError `INVALID_REQUEST` if the file does not describe a tool.
 */
export async function createTool(
  invocation: Invocation,
  file: string,
  { draft = false }: { readonly draft?: boolean },
): Promise<void> {
  const client = await invocation.client();
  const body = { ...(await readTool(file)), ...(draft ? { draft } : {}) };
  say(invocation, await client.tools.create(checkedBody(createWorkspaceToolSchema, body)), "was created");
}

/**
 * Updates a tool with the fields in a file.
 *
 * @throws YagateError `INVALID_REQUEST` if the file does not describe a change; `CONFLICT` if its version is not
 *   current.
 */
export async function updateTool(invocation: Invocation, nameOrId: string, file: string): Promise<void> {
  const client = await invocation.client();
  const change = checkedBody(updateWorkspaceToolSchema, await readTool(file));
  const { id } = await findTool(client, nameOrId);
  say(invocation, await client.tools.update(id, change), "was changed");
}

/** Archives a tool. */
export async function deleteTool(invocation: Invocation, nameOrId: string): Promise<void> {
  const client = await invocation.client();
  const { id, name } = await findTool(client, nameOrId);
  await invocation.confirm(toVisibleLine(`Archive the tool ${name} (${id})?`));
  await client.tools.delete(id);
  invocation.output.done({ type: "tool", id, name, archived: true }, `${name} was archived.`);
}

/** Reads a tool from a file, which may contain only the definition. */
async function readTool(file: string): Promise<JsonObject> {
  const body = await readJson(file);
  const isDefinition = ["rest", "handler", "implementation"].some((field) => field in body);
  return isDefinition && !("definition" in body) ? { definition: body } : body;
}

function say({ output }: Invocation, tool: WorkspaceTool, what: string): void {
  const { id, name, version, status } = tool;
  const text = [toVisibleLine(`${name} ${what}: ${id}, version ${version}, ${status}.`), ...findingsOf(tool)];
  output.result(tool, () => text.join("\n"));
  output.warnings(tool.remarks);
}
