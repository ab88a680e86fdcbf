import { frameText } from "@yagate/protocol";
import type { CallState } from "./state.ts";

// Whatever a reader could take for one of the tags, in any case, with blanks or without.
const TAG = /<(\s*\/)?(?=\s*tool_response)/gi;

/**
 * Frames what came from outside, so that the model can tell it from what it is told to do. Nothing inside can end the
 * frame or begin another one; JSON stays JSON of the same value.
 *
 * @param call - calls that were recorded before frames had a nonce have none.
 * @param warnings - codes of what was recognised in the text.
 */
export function wrapExternal(
  text: string,
  { id, name, frameNonce }: Pick<CallState, "id" | "name" | "frameNonce">,
  warnings: readonly string[] = [],
): string {
  const call = `tool="${name}" id="${id}"`;
  if (frameNonce === undefined) return `<tool_response ${call}>\n${withoutTags(text)}\n</tool_response>`;
  const nonce = `nonce="${frameNonce}"`;
  const found = warnings.length === 0 ? "" : ` warnings="${warnings.join(" ")}"`;
  return frameText(text, frameNonce, {
    begin: `<tool_response ${call} ${nonce}${found}>`,
    end: `</tool_response ${nonce}>`,
    withoutMarks: withoutTags,
  });
}

function withoutTags(text: string): string {
  return text.replace(TAG, (tag) => (tag === "</" ? "<\\/" : `\\u003c${tag.slice(1)}`));
}

/** Whether what a call brings was written by somebody else on the network. */
export function isExternal({ kind }: Pick<CallState, "kind">): boolean {
  return kind === "network";
}
