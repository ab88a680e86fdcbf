import type { CallState } from "./state.ts";

// Whatever a reader could take for one of the tags, in any case, with blanks or without.
const TAG = /<(\s*\/)?(?=\s*tool_response)/gi;

/**
 * Frames what came from outside, so that the model can tell it from what it is told to do. Nothing inside can end the
 * frame or begin another one; JSON stays JSON of the same value.
 */
export function wrapExternal(text: string, { id, name }: Pick<CallState, "id" | "name">): string {
  const inner = text.replace(TAG, (tag) => (tag === "</" ? "<\\/" : `\\u003c${tag.slice(1)}`));
  return `<tool_response tool="${name}" id="${id}">\n${inner}\n</tool_response>`;
}

/** Whether what a call brings was written by somebody else on the network. */
export function isExternal({ kind }: Pick<CallState, "kind">): boolean {
  return kind === "network";
}
