import { defined } from "@yagate/lib/objects/defined";
import { toolStatusSchema, type WorkspaceTool, workspaceToolKindSchema, YagateError } from "@yagate/protocol";
import type * as z from "zod";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";
import { findTool } from "./find-tool.ts";

interface ListToolsOptions {
  readonly status?: string;
  readonly kind?: string;
  readonly toolkit?: string;
}

/**
 * Prints the workspace's tools, newest first.
 *
 * @throws YagateError `INVALID_REQUEST` for an unknown status or kind.
 */
export async function listTools(invocation: Invocation, { status, kind, toolkit }: ListToolsOptions): Promise<void> {
  const query = {
    ...(status === undefined ? {} : { status: oneOf(toolStatusSchema, status, "--status") }),
    ...(kind === undefined ? {} : { kind: oneOf(workspaceToolKindSchema, kind, "--kind") }),
    ...defined({ toolkitId: toolkit }),
  };
  const client = await invocation.client();
  const tools = await client.tools.list({ ...query, limit: 200 }).toArray();
  invocation.output.result(tools, () => describeAll(tools));
}

/** Prints one tool, including the problems of a draft; with `test`, prints its complete latest test instead. */
export async function showTool(
  invocation: Invocation,
  nameOrId: string,
  { test = false }: { readonly test?: boolean },
): Promise<void> {
  const client = await invocation.client();
  const { id } = await findTool(client, nameOrId);
  // Lists do not include the problems of drafts.
  const shown = await (test ? client.tools.getTest(id) : client.tools.get(id));
  invocation.output.document(shown);
}

function oneOf<Value extends string>(
  schema: z.ZodType<Value> & { options: readonly Value[] },
  text: string,
  option: string,
) {
  const parsed = schema.safeParse(text);
  if (parsed.success) return parsed.data;
  const message = `expected ${option} to be one of ${schema.options.join(", ")}`;
  throw new YagateError("INVALID_REQUEST", message);
}

function describeAll(tools: readonly WorkspaceTool[]): string {
  if (tools.length === 0) return "No tool in this workspace matches.";
  const rows = tools.map(({ id, name, version, kind, status, slots, lastTest }) => {
    const tested = lastTest === null ? "-" : lastTest.ok ? "ok" : "failed";
    return [name, String(version), kind, status, String(slots), tested, id];
  });
  return table([["NAME", "VERSION", "KIND", "STATUS", "SLOTS", "TEST", "ID"], ...rows]);
}
