import { type ToolPreview, toVisibleLine, toVisibleText, type WorkspaceTool } from "@yagate/protocol";
import { agentIdOf } from "../agents/find-agent.ts";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { parseJsonObject } from "../read-text.ts";
import { findTool } from "./find-tool.ts";

interface CallOptions {
  readonly parameters?: string;
}

/** Tests a tool with a real call and prints the outcome. The exit status is 1 if the call failed. */
export async function testTool(
  invocation: Invocation,
  nameOrId: string,
  { parameters, confirm = false }: CallOptions & { readonly confirm?: boolean },
): Promise<void> {
  const client = await invocation.client();
  const given = parametersOf(parameters);
  const { id } = await findTool(client, nameOrId);
  const tool = await client.tools.test(id, { parameters: given, confirm: confirm || invocation.isAgreed });
  const { lastTest } = tool;
  if (lastTest === null) return;
  const status = lastTest.httpStatus === null ? "no response" : `HTTP ${lastTest.httpStatus}`;
  const outcome = lastTest.ok ? "succeeded" : "failed";
  const took = `${status}, ${lastTest.durationMs} ms`;
  invocation.output.result(tool, () => {
    const heading = toVisibleLine(`The test of ${tool.name} ${outcome}: ${took}. It is ${tool.status}.`);
    return `${heading}\n${toVisibleText(JSON.stringify(lastTest.preview, null, 2))}`;
  });
  if (!lastTest.ok) process.exitCode = EXIT.answerIsNo;
}

/** Prints what a call would send, without sending it. */
export async function previewTool(
  invocation: Invocation,
  nameOrId: string,
  { parameters, agent }: CallOptions & { readonly agent?: string },
): Promise<void> {
  const client = await invocation.client();
  const given = parametersOf(parameters);
  const of = agent === undefined ? {} : { agentId: await agentIdOf(client, agent) };
  const preview = await client.tools.preview({ ...of, tool: nameOrId, parameters: given });
  invocation.output.result(preview, () => describe(preview));
}

function describe({ method, url, headers, body }: ToolPreview): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = typeof body === "string" ? body : JSON.stringify(body, null, 2);
  const lines = [`${method} ${url}`, ...fields].map(toVisibleLine);
  return [...lines, ...(body === null ? [] : ["", toVisibleText(text)])].join("\n");
}

/** Records that a tested tool works correctly. */
export async function validateTool(invocation: Invocation, nameOrId: string): Promise<void> {
  const client = await invocation.client();
  say(invocation, await client.tools.validate((await findTool(client, nameOrId)).id));
}

/** Makes a validated tool available to agents. */
export async function finalizeTool(invocation: Invocation, nameOrId: string): Promise<void> {
  const client = await invocation.client();
  say(invocation, await client.tools.finalize((await findTool(client, nameOrId)).id));
}

function parametersOf(text: string | undefined) {
  return text === undefined ? {} : parseJsonObject(text, "--parameters");
}

function say({ output }: Invocation, tool: WorkspaceTool): void {
  const { name, version, status } = tool;
  output.done(tool, `Version ${version} of ${name} is ${status}.`);
}
