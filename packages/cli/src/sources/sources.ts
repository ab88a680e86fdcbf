import { ApiError } from "@yagate/client";
import { type ToolSource, toVisibleLine, YagateError } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";
import { findSource } from "./find-source.ts";
import { requireSourceTool } from "./find-source-tool.ts";

/** Prints the workspace's sources, newest first. */
export async function listSources(invocation: Invocation): Promise<void> {
  const client = await invocation.client();
  const sources = await client.sources.list({ limit: 200 }).toArray();
  invocation.output.result(sources, () => describeAll(sources));
}

/** Prints one source with the states of its tools. */
export async function showSource(invocation: Invocation, nameOrId: string): Promise<void> {
  const source = await findSource(await invocation.client(), nameOrId);
  invocation.output.result(source, () => describe(source));
}

/**
 * Reads the tools of a source again.
 *
 * @throws ApiError the reason why they cannot be read.
 */
export async function syncSource(invocation: Invocation, nameOrId: string): Promise<void> {
  const client = await invocation.client();
  const source = await client.sources.sync((await findSource(client, nameOrId)).id);
  invocation.output.done(source, `${source.name} is ${source.status}: ${countsOf(source)}.`);
  noteHeld(invocation, source);
}

/**
 * Turns tools off until they are accepted again.
 *
 * @throws YagateError `INVALID_REQUEST` unless either tools are named or `all` is set; `NOT_FOUND` for unknown tools.
 */
export async function revokeTools(
  invocation: Invocation,
  nameOrId: string,
  names: readonly string[],
  { all = false }: { readonly all?: boolean },
): Promise<void> {
  requireChoice(names, all);
  const client = await invocation.client();
  const { id, name, tools = [] } = await findSource(client, nameOrId);
  const chosen = [...new Set(names.map((each) => requireSourceTool({ name, tools }, each).name))];
  const what = all ? "all tools" : chosen.join(", ");
  await invocation.confirm(
    toVisibleLine(`Turn off ${what} of ${name}, including in executions that have already started?`),
  );
  const source = await client.sources.revoke(id, all ? {} : { tools: chosen });
  invocation.output.done(source, `${name}: ${what} ${all || chosen.length > 1 ? "are" : "is"} off until accepted.`);
}

/** Requires names of tools or `--all`, but not both. */
export function requireChoice(names: readonly string[], all: boolean): void {
  if (all !== names.length > 0) return;
  throw new YagateError("INVALID_REQUEST", "expected either names of tools or --all");
}

/**
 * Deletes a source.
 *
 * @throws YagateError `CONFLICT` if agents refer to the source, unless `force` is set.
 */
export async function removeSource(
  invocation: Invocation,
  nameOrId: string,
  { force = false }: { readonly force?: boolean },
): Promise<void> {
  const client = await invocation.client();
  const { id, name } = await findSource(client, nameOrId);
  await invocation.confirm(toVisibleLine(`Delete the tool source ${name} (${id}) and turn its tools off?`));
  try {
    await client.sources.delete(id, { force });
  } catch (error) {
    if (force || !ApiError.is(error) || error.code !== "CONFLICT") throw error;
    throw new YagateError("CONFLICT", `agents refer to the tool source ${name}`, {
      hint: `remove the source from the agents, or delete it anyway: ${commandName()} sources remove ${name} --force`,
      cause: error,
    });
  }
  invocation.output.done({ type: "tool_source", id, name, deleted: true }, `${name} was deleted.`);
}

/** Prints how to review the tools of a source that wait to be accepted, if there are any. */
export function noteHeld({ output }: Invocation, { name, toolCounts: { held } }: ToolSource): void {
  if (held > 0) output.note(`Tools are waiting to be accepted: ${commandName()} sources diff ${name}`);
}

/** Describes the numbers of a source's tools, such as `2 tools, 1 of them held`. */
export function countsOf({ toolCounts: { published, held, removed } }: ToolSource): string {
  return [
    `${published} ${published === 1 ? "tool" : "tools"}`,
    ...(held === 0 ? [] : [held === published ? "held" : `${held} of them held`]),
    ...(removed === 0 ? [] : [`${removed} removed`]),
  ].join(", ");
}

/** Stands for the URL of a source whose document was uploaded. */
const UPLOADED = "uploaded";

function describeAll(sources: readonly ToolSource[]): string {
  if (sources.length === 0) return "There are no tool sources in this workspace.";
  const rows = sources.map(({ id, name, kind, status, url, toolCounts: { published, accepted } }) => [
    ...[name, kind, status, `${accepted}/${published}`, url ?? UPLOADED, id],
  ]);
  return table([["NAME", "KIND", "STATUS", "ACCEPTED", "URL", "ID"], ...rows]);
}

function describe(source: ToolSource): string {
  const {
    id,
    name,
    kind,
    url,
    status,
    statusAt,
    reason,
    onChange,
    signingSecret,
    include,
    exclude,
    nextSyncAt,
    tools = [],
  } = source;
  const fields: readonly (readonly [string, string])[] = [
    ["kind", kind],
    ["url", url ?? UPLOADED],
    ...(signingSecret === undefined ? [] : [["signing secret", signingSecret] as const]),
    ["status", `${status}, at ${statusAt}`],
    ...(reason === null ? [] : [["reason", `${reason.code}: ${reason.message}`] as const]),
    ["next sync", nextSyncAt ?? "on request"],
    ["on change", onChange],
    ...(include === null ? [] : [["include", include.join(", ")] as const]),
    ...(exclude.length === 0 ? [] : [["exclude", exclude.join(", ")] as const]),
    ["tools", countsOf(source)],
  ];
  const rows = tools.map(({ toolName, name: published, state, isOffered, sideEffect }) => [
    ...[toolName, state, isOffered ? "yes" : "no", sideEffect ?? "-", published],
  ]);
  const list =
    rows.length === 0 ? [] : ["", table([["TOOL", "STATE", "OFFERED", "SIDE EFFECT", "PUBLISHED AS"], ...rows])];
  const lines = fields.map(([label, value]) => `${label.padEnd(16)}${toVisibleLine(value)}`);
  return [toVisibleLine(`${name} (${id})`), ...lines, ...list].join("\n");
}
