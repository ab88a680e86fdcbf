import { cutText } from "@yagate/lib/text/cut-text";
import { type ToolChange, toVisibleLine } from "@yagate/protocol";
import { styled } from "../frame/style-text.ts";
import { type DiffLine, diffLines, withoutDistantLines } from "../text/line-diff.ts";
import { shellWord } from "../text/shell-word.ts";
import { definitionLines, flatDefinition, reviewLines } from "./definition-text.ts";
import { isFormChange } from "./form-change.ts";

const HASH_DIGITS = 16;
/** Maximum length of the claims of a server that are shown, in characters. */
const MAX_CLAIM_CHARACTERS = 500;
const COLORS = { "-": "red", "+": "green" } as const;
/** Shown instead of a side effect. */
export const UNDECLARED = "no side effect declared";
const FORM_CHANGED = "schema generator changed; texts and limits are the same";

/**
 * Describes a change: a new tool with everything that a model reads, a changed one as a difference line by line.
 *
 * @param isComplete - whether a difference that only a schema generator made is shown line by line too. Default false.
 */
export function describeChange(change: ToolChange, isComplete = false): string {
  const heading = styled("bold", toVisibleLine(headingOf(change)));
  const remarks = remarksOf(change).map((text) => `  ${toVisibleLine(text)}`);
  return [heading, ...remarks, ...contentOf(change, isComplete)].join("\n");
}

/** Describes a change in one line. */
export function summaryOf(change: ToolChange): string {
  const { toolName, state } = change;
  return toVisibleLine(`${toolName}: ${isFormChange(change) ? FORM_CHANGED : state}`);
}

/** Names a tool with the start of its hash, so that a command accepts exactly this definition. */
export function pinnedName({ name, hash }: ToolChange): string {
  return hash === null ? name : `${name}@${hash.replace("sha256:", "").slice(0, HASH_DIGITS)}`;
}

function headingOf(change: ToolChange): string {
  const { toolName, state, after, hash } = change;
  const sideEffect = after === null ? [] : [String(flatDefinition(after)["sideEffect"] ?? UNDECLARED)];
  return [toolName, state, ...sideEffect, ...(hash === null ? [] : [pinnedName(change)])].join(" · ");
}

function remarksOf(change: ToolChange): readonly string[] {
  const { state, isLaxer, isGeneratorChanged, conflict } = change;
  const generator = isFormChange(change) ? FORM_CHANGED : "schema generator changed";
  return [
    ...(isLaxer ? ["the side effect or the risk class is weaker than the accepted one"] : []),
    ...(isGeneratorChanged && state === "changed" ? [generator] : []),
    ...(conflict === null ? [] : [`${conflict.code}: ${conflict.message}`]),
    ...hintRemarks(change),
  ];
}

/** Shows what an MCP server claims about a tool, with the option that sets the side effect which would follow from it. */
function hintRemarks({ name, hints, after }: ToolChange): readonly string[] {
  if (hints === undefined || Object.keys(hints.annotations).length === 0) return [];
  const { annotations, proposedSideEffect } = hints;
  const isSet = proposedSideEffect === null || after?.["sideEffect"] === proposedSideEffect;
  const proposal = isSet ? "" : `; to trust it: --side-effect ${shellWord(`${name}=${proposedSideEffect}`)}`;
  return [`the server claims, unchecked: ${cutText(JSON.stringify(annotations), MAX_CLAIM_CHARACTERS)}${proposal}`];
}

function contentOf(change: ToolChange, isComplete: boolean): readonly string[] {
  const { before, after } = change;
  if (after === null) return [];
  if (before === null) return reviewLines(after);
  if (isFormChange(change) && !isComplete) return [];
  const lines = diffLines(definitionLines(before), definitionLines(after));
  return lines.every(({ mark }) => mark === " ") ? [] : withoutDistantLines(lines).map(colored);
}

function colored({ mark, text }: DiffLine): string {
  return mark === " " ? `  ${text}` : styled(COLORS[mark], `${mark} ${text}`);
}
