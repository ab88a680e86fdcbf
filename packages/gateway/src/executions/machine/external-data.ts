import { frameText } from "@yagate/protocol";
import type { CallState } from "./state.ts";

// Everything that could pass for one of the tags, in any case, with or without spaces.
const TAG = /<(\s*\/)?(?=\s*tool_response)/gi;

/**
 * Frames untrusted content, so that the model can distinguish it from instructions. The content cannot end the frame or
 * begin another one; JSON stays JSON of the same value.
 *
 * @param call - calls that were recorded before frames had a nonce lack one.
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

/** Whether the result of a call comes from the network. */
export function isExternal({ kind }: Pick<CallState, "kind">): boolean {
  return kind === "network";
}
