import { toVisibleLine, toVisibleText, type WorkspaceTool } from "@yagate/protocol";
import { agentIdOf } from "../agents/find-agent.ts";
import { gatewayClient } from "../gateway-client.ts";
import { parseJsonObject } from "../read-text.ts";
import { findTool } from "./find-tool.ts";

interface CallOptions {
  readonly parameters?: string;
}

/** Calls a tool once, for real, and prints what came of it. Status 1: the call failed. */
export async function testTool(
  nameOrId: string,
  { parameters, confirm = false }: CallOptions & { readonly confirm?: boolean },
): Promise<void> {
  const client = gatewayClient();
  const given = parametersOf(parameters);
  const { id } = await findTool(client, nameOrId);
  const tool = await client.tools.test(id, { parameters: given, confirm });
  const { lastTest } = tool;
  if (lastTest === null) return;
  const status = lastTest.httpStatus === null ? "no answer" : `HTTP ${lastTest.httpStatus}`;
  const outcome = lastTest.ok ? "succeeded" : "failed";
  const took = `${status}, ${lastTest.durationMs} ms`;
  console.log(toVisibleLine(`The test of ${tool.name} ${outcome}: ${took}. It is ${tool.status}.`));
  console.log(toVisibleText(JSON.stringify(lastTest.preview, null, 2)));
  if (!lastTest.ok) process.exitCode = 1;
}

/** Prints what a call would send. Nothing is sent. */
export async function previewTool(
  nameOrId: string,
  { parameters, agent }: CallOptions & { readonly agent?: string },
): Promise<void> {
  const client = gatewayClient();
  const given = parametersOf(parameters);
  const of = agent === undefined ? {} : { agentId: await agentIdOf(client, agent) };
  const { method, url, headers, body } = await client.tools.preview({ ...of, tool: nameOrId, parameters: given });
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = typeof body === "string" ? body : JSON.stringify(body, null, 2);
  const lines = [`${method} ${url}`, ...fields].map(toVisibleLine);
  console.log([...lines, ...(body === null ? [] : ["", toVisibleText(text)])].join("\n"));
}

/** Says that a tested tool is as it should be. */
export async function validateTool(nameOrId: string): Promise<void> {
  const client = gatewayClient();
  say(await client.tools.validate((await findTool(client, nameOrId)).id));
}

/** Makes a validated tool one that agents can use. */
export async function finalizeTool(nameOrId: string): Promise<void> {
  const client = gatewayClient();
  say(await client.tools.finalize((await findTool(client, nameOrId)).id));
}

function parametersOf(text: string | undefined) {
  return text === undefined ? {} : parseJsonObject(text, "--parameters");
}

function say({ name, version, status }: WorkspaceTool): void {
  console.log(toVisibleLine(`${name} is ${status}, in version ${version}.`));
}
