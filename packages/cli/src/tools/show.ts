import {
  toolStatusSchema,
  toVisibleText,
  type WorkspaceTool,
  workspaceToolKindSchema,
  YagateError,
} from "@yagate/protocol";
import type * as z from "zod";
import { gatewayClient } from "../gateway-client.ts";
import { table } from "../table.ts";
import { findTool } from "./find-tool.ts";

interface ListToolsOptions {
  readonly status?: string;
  readonly kind?: string;
  readonly toolkit?: string;
  readonly json?: boolean;
}

/** Prints the workspace's tools, newest first. @throws YagateError `INVALID_REQUEST` for a status or a kind that is none. */
export async function listTools({ status, kind, toolkit, json = false }: ListToolsOptions): Promise<void> {
  const query = {
    ...(status === undefined ? {} : { status: oneOf(toolStatusSchema, status, "--status") }),
    ...(kind === undefined ? {} : { kind: oneOf(workspaceToolKindSchema, kind, "--kind") }),
    ...(toolkit === undefined ? {} : { toolkitId: toolkit }),
  };
  const tools = await gatewayClient()
    .tools.list({ ...query, limit: 200 })
    .toArray();
  console.log(json ? toVisibleText(JSON.stringify(tools, null, 2)) : describeAll(tools));
}

/** Prints one tool, of a draft with its problems; its last test in full with `test`. */
export async function showTool(nameOrId: string, { test = false }: { readonly test?: boolean }): Promise<void> {
  const client = gatewayClient();
  const { id } = await findTool(client, nameOrId);
  // A list does not say what keeps a draft from being tested.
  const shown = await (test ? client.tools.getTest(id) : client.tools.get(id));
  console.log(toVisibleText(JSON.stringify(shown, null, 2)));
}

function oneOf<Value extends string>(
  schema: z.ZodType<Value> & { options: readonly Value[] },
  text: string,
  option: string,
) {
  const parsed = schema.safeParse(text);
  if (parsed.success) return parsed.data;
  const message = `expected ${option} to be one of ${schema.options.join(", ")}`;
  throw new YagateError("INVALID_REQUEST", message, { hint: "Nothing was sent." });
}

function describeAll(tools: readonly WorkspaceTool[]): string {
  if (tools.length === 0) return "There are no such tools in this workspace.";
  const rows = tools.map(({ id, name, version, kind, status, slots, lastTest }) => {
    const tested = lastTest === null ? "-" : lastTest.ok ? "ok" : "failed";
    return [name, String(version), kind, status, String(slots), tested, id];
  });
  return table([["NAME", "VERSION", "KIND", "STATUS", "SLOTS", "TEST", "ID"], ...rows]);
}
