import type { Yagate } from "@yagate/client";
import { toVisibleLine, YagateError } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { findToolkit } from "../toolkits/find-toolkit.ts";
import { findTool } from "../tools/find-tool.ts";
import { findSource } from "./find-source.ts";
import { countsOf, noteHeld } from "./sources.ts";

/**
 * Makes workspace tools follow the operations of an OpenAPI document.
 *
 * @throws YagateError `INVALID_REQUEST` unless either tools are named or a toolkit is, and for a toolkit without finalized
 *   REST tools; `NOT_FOUND`.
 */
export async function adoptTools(
  invocation: Invocation,
  nameOrId: string,
  names: readonly string[],
  { toolkit }: { readonly toolkit?: string },
): Promise<void> {
  if ((toolkit === undefined) === (names.length === 0)) {
    throw new YagateError("INVALID_REQUEST", "expected either names of tools or --toolkit");
  }
  const client = await invocation.client();
  const { id } = await findSource(client, nameOrId);
  const tools = toolkit === undefined ? await namedTools(client, names) : await toolsOf(client, toolkit);
  const source = await client.sources.adopt(id, { tools: tools.map((toolId) => ({ toolId })) });
  const what = `${tools.length} ${tools.length === 1 ? "tool follows" : "tools follow"} ${source.name}`;
  invocation.output.done(source, toVisibleLine(`${what}: ${countsOf(source)}.`));
  noteHeld(invocation, source);
}

async function namedTools(client: Yagate, names: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const name of new Set(names)) ids.push((await findTool(client, name)).id);
  return ids;
}

/** Returns the ids of a toolkit's REST tools that agents can use. */
async function toolsOf(client: Yagate, nameOrId: string): Promise<readonly string[]> {
  const { name, tools } = await findToolkit(client, nameOrId);
  const finalized = tools.filter(({ kind, status }) => kind === "rest" && status === "created");
  if (finalized.length > 0) return finalized.map(({ id }) => id);
  throw new YagateError("INVALID_REQUEST", `the toolkit ${name} has no finalized REST tools`, {
    hint: "finalize its tools, or archive them and use those of the source",
  });
}
