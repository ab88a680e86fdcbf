import { type JsonObject, type SourceToolDetail, toVisibleLine } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import type { Invocation } from "../frame/invocation.ts";
import { styled } from "../frame/style-text.ts";
import { reviewLines } from "./definition-text.ts";
import { UNDECLARED } from "./describe-change.ts";
import { findSource } from "./find-source.ts";
import { requireSourceTool } from "./find-source-tool.ts";

/**
 * Prints one tool of a source: its state, and everything that a model reads about it.
 *
 * @throws YagateError `NOT_FOUND`.
 */
export async function showSourceTool(invocation: Invocation, nameOrId: string, toolName: string): Promise<void> {
  const client = await invocation.client();
  const { id, name, tools = [] } = await findSource(client, nameOrId);
  const found = requireSourceTool({ name, tools }, toolName);
  const tool = await client.sources.tool(id, found.name);
  invocation.output.result(tool, () => describe(tool));
  const isWaiting = tool.state === "new" || tool.state === "changed";
  if (isWaiting) invocation.output.note(`\nTo review: ${commandName()} sources diff ${name} ${found.name}`);
}

function describe(tool: SourceToolDetail): string {
  const { name, toolName, sideEffect, risk, hash, conflict, toolId } = tool;
  const fields: readonly (readonly [label: string, value: string | null | undefined])[] = [
    ["published as", name],
    ["status", statusOf(tool)],
    ["conflict", conflict === null ? null : `${conflict.code}: ${conflict.message}`],
    ["side effect", sideEffect ?? UNDECLARED],
    ["risk", risk],
    ["followed by", toolId],
    ["hash", hash],
  ];
  const lines = fields.flatMap(([label, value]) =>
    value === null || value === undefined ? [] : [`${label.padEnd(16)}${toVisibleLine(value)}`],
  );
  const shown = shownDefinition(tool);
  return [styled("bold", toVisibleLine(toolName)), ...lines, ...(shown === null ? [] : reviewLines(shown))].join("\n");
}

/** Returns the definition that agents get; for a tool that is off, the published one. */
function shownDefinition({ state, isOffered, definition, acceptedDefinition }: SourceToolDetail): JsonObject | null {
  return state === "changed" && isOffered ? acceptedDefinition : (definition ?? acceptedDefinition);
}

function statusOf({ state, isOffered }: SourceToolDetail): string {
  switch (state) {
    case "accepted":
      return isOffered ? "accepted: agents get the tool" : "accepted, but off";
    case "new":
      return "held: the tool is new, and agents do not get it";
    case "changed":
      return isOffered
        ? "held: the published definition differs, and agents get the accepted one"
        : "held: the published definition differs from the accepted one, and agents do not get the tool";
    case "removed":
      return "removed: the source no longer publishes the tool";
    default:
      return state;
  }
}
