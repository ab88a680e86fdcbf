import { frameText } from "@yagate/protocol";
import type { CallState } from "./state.ts";

// Matches everything that could be mistaken for one of the tags, in upper or lower case, with or without spaces.
const TAG = /<(\s*\/)?(?=\s*tool_response)/gi;

/**
 * Frames untrusted content, so that the model can distinguish it from instructions. The content can neither end the
 * frame nor start another one. JSON stays JSON with the same value.
 *
 * @param call - the call whose result is framed. It has no nonce if it was recorded before frames had one.
 * @param warnings - codes of the findings in the text.
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

/** Returns whether the result of a call comes from the network. */
export function isExternal({ kind }: Pick<CallState, "kind">): boolean {
  return kind === "network";
}
