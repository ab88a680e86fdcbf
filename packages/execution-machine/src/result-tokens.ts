import { cutText } from "@yagate/lib/text/cut-text";
import { CHARACTERS_PER_TOKEN, tokensOfCharacters } from "@yagate/lib/text/token-estimate";
import { frameText, type JsonValue, type ToolErrorRecord } from "@yagate/protocol";
import type { CallState } from "./state.ts";
import { errorText } from "./tool-error.ts";

/** Maximum length of a result that a model reads in full, in characters. For a longer result, it reads a preview. */
export const MAX_RESULT_CHARACTERS = 50_000;

/** Maximum length of a preview, in characters. */
export const MAX_PREVIEW_CHARACTERS = 8_000;

/**
 * Maximum length of an error, in characters; the rest is cut off. With its frame, it is no longer than a result may be.
 */
export const MAX_ERROR_CHARACTERS = 36_000;

/** Space for the codes of the warnings about untrusted content, in characters. */
const WARNING_CHARACTERS = 160;

type Origin = Pick<CallState, "id" | "name" | "kind" | "frameNonce"> & Partial<Pick<CallState, "isUntrusted">>;

/** Returns the length of a result as a model would read it in full, in characters. */
export function resultCharacters(result: JsonValue, call: Origin): number {
  return lengthInFrame(JSON.stringify(result), call);
}

/** Returns the maximum length of this call's result that a model reads in full, in characters. */
export function maxResultCharacters({ projection }: Pick<CallState, "projection">): number {
  const { maxTokens } = projection ?? {};
  if (maxTokens === undefined) return MAX_RESULT_CHARACTERS;
  return Math.min(maxTokens * CHARACTERS_PER_TOKEN, MAX_RESULT_CHARACTERS);
}

/** Returns the maximum length of the preview of this call's result, in characters. */
export function maxPreviewCharacters(call: Pick<CallState, "projection">): number {
  return Math.min(maxResultCharacters(call), MAX_PREVIEW_CHARACTERS);
}

/** Returns whether the result or the error of a call is too long to be read in full, so that it is an artifact. */
export function isArtifact(call: Pick<CallState, "resultCharacters" | "errorCharacters" | "projection">): boolean {
  const { resultCharacters: characters = 0, errorCharacters = 0 } = call;
  return characters > maxResultCharacters(call) || errorCharacters > MAX_ERROR_CHARACTERS;
}

/** Returns the length of an error as a model would read it in full, in characters. */
export function charactersOfError(error: ToolErrorRecord): number {
  return errorText(error).length;
}

/** Estimates how many tokens of a result the model reads. The estimate is the same on every replica. */
export function estimateResultTokens(call: Pick<CallState, "resultCharacters" | "projection">): number {
  return tokensOfCharacters(isArtifact(call) ? maxPreviewCharacters(call) : (call.resultCharacters ?? 0));
}

/** Estimates how many tokens of an error the model reads. */
export function estimateErrorTokens(error: ToolErrorRecord, call: Origin | undefined): number {
  const text = errorText(error).slice(0, MAX_ERROR_CHARACTERS);
  return tokensOfCharacters(
    call === undefined || error.details === undefined ? text.length : lengthInFrame(text, call),
  );
}

function lengthInFrame(text: string, call: Origin): number {
  // Records without a nonce keep the estimate that applied when they were written.
  if (call.frameNonce === undefined) return isExternal(call) ? wrapExternal(text, call).length : text.length;
  return isExternal(call) || call.isUntrusted === true
    ? wrapExternal(text, call).length + WARNING_CHARACTERS
    : text.length;
}

/** Maximum length of the arguments that are repeated to the model, in characters. */
const MAX_CHARACTERS = 4_000;

/**
 * Returns the note that the model reads before the result of a call whose arguments the approver changed; empty for
 * other calls.
 */
export function editNote({ approval, parameters }: CallState): string {
  if (approval?.requestedParameters === undefined) return "";
  const text = JSON.stringify(parameters);
  const shown = cutText(text, MAX_CHARACTERS + 1);
  return `[A person changed the arguments of this call before it ran. It ran with: ${shown}]\n`;
}

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
