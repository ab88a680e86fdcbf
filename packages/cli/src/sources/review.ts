import { ApiError, type Yagate } from "@yagate/client";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { defined } from "@yagate/lib/objects/defined";
import { type ToolChange, type ToolSource, toolChangeSchema, toVisibleLine, YagateError } from "@yagate/protocol";
import * as z from "zod";
import { commandName } from "../command-name.ts";
import type { Invocation } from "../frame/invocation.ts";
import { readText } from "../read-text.ts";
import { shellWord } from "../text/shell-word.ts";
import { describeChange, pinnedName, summaryOf } from "./describe-change.ts";
import { findSource } from "./find-source.ts";
import { findSourceTool } from "./find-source-tool.ts";
import { readSideEffects, type SideEffects } from "./side-effects.ts";
import { requireChoice } from "./sources.ts";

/** A tool whose published definition can be accepted. */
export type AcceptableTool = ToolChange & { readonly hash: string };

/** Maximum number of tools that a printed command names with their hashes. */
const MAX_PINNED = 20;
const PINNED = /^(.+)@(?:sha256:)?([0-9a-f]{16,64})$/;

/**
 * Prints how published tools differ from accepted ones.
 *
 * @param names - published names; empty for all tools that differ.
 * @throws YagateError `NOT_FOUND` for tools that do not differ.
 */
export async function diffSource(invocation: Invocation, nameOrId: string, names: readonly string[]): Promise<void> {
  const client = await invocation.client();
  const source = await findSource(client, nameOrId);
  const { id, name } = source;
  const all = await changesOf(client, id);
  const changes = names.length === 0 ? all : names.map((each) => findChange(all, each, name));
  invocation.output.result(changes, () =>
    changes.length === 0
      ? noChanges(source)
      : changes.map((change) => describeChange(change, names.length > 0)).join("\n\n"),
  );
  const acceptable = changes.filter(isAcceptable);
  if (acceptable.length > 0) invocation.output.note(`\n${howToAccept(name, acceptable)}`);
  if (source.reason !== null) invocation.output.note(`\n${failedSync(source.reason)}`);
}

function noChanges({ name, syncedAt, toolCounts }: ToolSource): string {
  if (syncedAt === null) return `${name}: its tools have not been read yet.`;
  return toolCounts.published === 0 ? `${name} publishes no tools.` : `${name}: all published tools are accepted.`;
}

function failedSync({ code, message }: NonNullable<ToolSource["reason"]>): string {
  return toVisibleLine(`The latest sync failed, so there may be further differences: ${code}: ${message}`);
}

interface AcceptOptions {
  readonly all?: boolean;
  /** File with the output of `yagate sources diff --json`. */
  readonly reviewed?: string;
  readonly sideEffect?: readonly string[];
}

/**
 * Accepts the published definitions of tools, all or none.
 *
 * @param names - published names, optionally with the start of the hash: `lookup@0123456789abcdef`.
 * @throws YagateError `INVALID_REQUEST` unless tools are named, or either `all` or `reviewed` is set; `NOT_FOUND` for
 *   tools that do not differ; `CONFLICT` for definitions that have changed.
 */
export async function acceptTools(
  invocation: Invocation,
  nameOrId: string,
  names: readonly string[],
  { all = false, reviewed, sideEffect }: AcceptOptions,
): Promise<void> {
  if (reviewed === undefined || all) requireChoice(names, all || reviewed !== undefined);
  const sideEffects = readSideEffects(sideEffect);
  const client = await invocation.client();
  const source = await findSource(client, nameOrId);
  const changes = reviewed === undefined ? await changesOf(client, source.id) : await readReviewed(reviewed);
  const acceptable = changes.filter(isAcceptable);
  const chosen =
    names.length === 0 ? acceptable : [...new Set(names.map((each) => findChange(acceptable, each, source.name)))];
  sideEffects.requireTools(chosen);
  if (chosen.length === 0) return printAccepted(invocation, source, []);
  if (invocation.terminal().isInteractive && !invocation.isAgreed) {
    invocation.output.note(chosen.map((change) => describeChange(change)).join("\n\n"));
  }
  await invocation.confirm(`Accept ${toolCount(chosen.length)} of ${source.name}?`);
  printAccepted(invocation, await accept(client, source, chosen, sideEffects), chosen);
}

/** Reads the definitions that a person has reviewed, so that exactly these are accepted. */
async function readReviewed(file: string): Promise<readonly ToolChange[]> {
  const parsed = z.array(toolChangeSchema).safeParse(parseJsonOrUndefined(await readText(file)));
  if (parsed.success) return parsed.data;
  throw new YagateError("INVALID_REQUEST", `expected ${file} to contain the output of sources diff with --json`);
}

function printAccepted({ output }: Invocation, source: ToolSource, accepted: readonly ToolChange[]): void {
  if (accepted.length === 0) {
    output.done(source, `${source.name}: there is nothing to accept.`);
    return;
  }
  const lines = [
    `${source.name}: ${toolCount(accepted.length)} accepted.`,
    ...accepted.map((each) => `  ${summaryOf(each)}`),
  ];
  output.result(source, () => lines.join("\n"));
}

/** Returns the tools of a source that differ from the accepted ones, ordered by name. */
export function changesOf(client: Yagate, sourceId: string): Promise<readonly ToolChange[]> {
  return client.sources.changes(sourceId, { limit: 200 }).toArray();
}

/** Whether the published definition of a tool is not accepted yet. */
export function isAcceptable(change: ToolChange): change is AcceptableTool {
  return change.hash !== null && change.hash !== change.acceptedHash;
}

/**
 * Accepts exactly these definitions.
 *
 * @throws YagateError `CONFLICT`, with the names of the tools whose definitions have changed in the meantime.
 */
export async function accept(
  client: Yagate,
  { id, name: source }: Pick<ToolSource, "id" | "name">,
  chosen: readonly AcceptableTool[],
  sideEffects: SideEffects,
): Promise<ToolSource> {
  const tools = chosen.map(({ name, hash }) => ({ name, hash, ...defined({ sideEffect: sideEffects.of(name) }) }));
  try {
    return await client.sources.accept(id, { tools });
  } catch (error) {
    const moved = ApiError.is(error) && error.code === "CONFLICT" ? error.fieldErrors : [];
    if (moved.length === 0) throw error;
    const names = moved.map(({ path }) => tools[Number(/^tools\[(\d+)\]/.exec(path)?.[1])]?.name ?? path);
    throw changedSince(source, names);
  }
}

/** Finds a change by the published name of its tool, or by `name@hash`. */
function findChange<Change extends ToolChange>(changes: readonly Change[], text: string, source: string): Change {
  const exact = findSourceTool(changes, text);
  if (exact !== undefined) return exact;
  const [, name = text, digits] = PINNED.exec(text) ?? [];
  const found = findSourceTool(changes, name);
  if (found === undefined) {
    const waiting = changes
      .map((change) => change.name)
      .slice(0, 20)
      .join(", ");
    throw new YagateError("NOT_FOUND", `${source} has no tool ${name} that differs from its accepted definition`, {
      hint: waiting === "" ? `${commandName()} sources show ${source}` : `these differ: ${waiting}`,
    });
  }
  if (digits === undefined || found.hash?.startsWith(`sha256:${digits}`) === true) return found;
  throw changedSince(source, [name]);
}

function changedSince(source: string, names: readonly string[]): YagateError {
  const message = `${names.join(", ")} changed after the review, so nothing was accepted`;
  return new YagateError("CONFLICT", message, { hint: `${commandName()} sources diff ${source}` });
}

/**
 * Says how to accept exactly these definitions: with a command that contains their hashes. If they are many, a file
 * contains them.
 */
export function howToAccept(source: string, tools: readonly AcceptableTool[]): string {
  const command = `${commandName()} sources`;
  const accept = `${command} accept ${source}`;
  if (tools.length <= MAX_PINNED) {
    return `To accept: ${accept} ${tools.map((tool) => shellWord(toVisibleLine(pinnedName(tool)))).join(" ")}`;
  }
  const file = `${source}.json`;
  const save = `${command} diff ${source} --json > ${file}`;
  return `To accept, save the definitions, review the file, then accept what it contains:\n  ${save}\n  ${accept} --reviewed ${file}`;
}

function toolCount(count: number): string {
  return count === 1 ? "1 tool" : `${count} tools`;
}
