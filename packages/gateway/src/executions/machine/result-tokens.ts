import { cutText } from "@yagate/lib/text/cut-text";
import { CHARACTERS_PER_TOKEN, tokensOfCharacters } from "@yagate/lib/text/token-estimate";
import type { JsonValue, ToolErrorRecord } from "@yagate/protocol";
import { isExternal, wrapExternal } from "./external-data.ts";
import type { CallState } from "./state.ts";
import { errorText } from "./tool-error.ts";

/** Longest result that a model reads whole, in characters; of a longer one it reads a preview. */
export const MAX_RESULT_CHARACTERS = 50_000;

/** Longest preview, in characters. */
export const MAX_PREVIEW_CHARACTERS = 8_000;

/** Longest failure, in characters; the rest is cut. Framed as external data it is still no longer than a result may be. */
export const MAX_ERROR_CHARACTERS = 36_000;

/** Room for the codes of what is recognised in a text from outside. */
const WARNING_CHARACTERS = 160;

type Origin = Pick<CallState, "id" | "name" | "kind" | "frameNonce"> & Partial<Pick<CallState, "isUntrusted">>;

/** Characters of a result as a model would read it whole. */
export function resultCharacters(result: JsonValue, call: Origin): number {
  return lengthInFrame(JSON.stringify(result), call);
}

/** Longest result that a model reads of this call at once, in characters. */
export function maxResultCharacters({ projection }: Pick<CallState, "projection">): number {
  const { maxTokens } = projection ?? {};
  if (maxTokens === undefined) return MAX_RESULT_CHARACTERS;
  return Math.min(maxTokens * CHARACTERS_PER_TOKEN, MAX_RESULT_CHARACTERS);
}

/** Longest preview of this call's result, in characters. */
export function maxPreviewCharacters(call: Pick<CallState, "projection">): number {
  return Math.min(maxResultCharacters(call), MAX_PREVIEW_CHARACTERS);
}

/** Whether the result of a call, or its error, is too large to be read at once, so that it is kept as an artifact. */
export function isArtifact(call: Pick<CallState, "resultCharacters" | "errorCharacters" | "projection">): boolean {
  const { resultCharacters: characters = 0, errorCharacters = 0 } = call;
  return characters > maxResultCharacters(call) || errorCharacters > MAX_ERROR_CHARACTERS;
}

/** Characters of a failure as a model would read it whole. */
export function charactersOfError(error: ToolErrorRecord): number {
  return errorText(error).length;
}

/** Tokens that a result will cost the model, estimated the same way on every replica. */
export function estimateResultTokens(call: Pick<CallState, "resultCharacters" | "projection">): number {
  return tokensOfCharacters(isArtifact(call) ? maxPreviewCharacters(call) : (call.resultCharacters ?? 0));
}

/** Tokens of what the model reads of a failure: all but what is the log's. */
export function estimateErrorTokens(error: ToolErrorRecord, call: Origin | undefined): number {
  const kept = errorText(error).slice(0, MAX_ERROR_CHARACTERS);
  return tokensOfCharacters(
    call === undefined || error.details === undefined ? kept.length : lengthInFrame(kept, call),
  );
}

function lengthInFrame(text: string, call: Origin): number {
  // What was recorded without a nonce counts as it did.
  if (call.frameNonce === undefined) return isExternal(call) ? wrapExternal(text, call).length : text.length;
  return isExternal(call) || call.isUntrusted === true
    ? wrapExternal(text, call).length + WARNING_CHARACTERS
    : text.length;
}

/** Most characters of the arguments that are repeated to the model. */
const MAX_CHARACTERS = 4_000;

/** What the model reads before the result of a call whose arguments a person changed; empty for any other. */
export function editNote({ approval, parameters }: CallState): string {
  if (approval?.requestedParameters === undefined) return "";
  const text = JSON.stringify(parameters);
  const shown = cutText(text, MAX_CHARACTERS + 1);
  return `[A person changed the arguments of this call before it ran. They were: ${shown}]\n`;
}
