import { findInjections } from "@yagate/builtins/web/injection/find-injections";
import { isExternal, wrapExternal } from "@yagate/execution-machine/external-data";
import { isArtifact, MAX_ERROR_CHARACTERS, maxPreviewCharacters } from "@yagate/execution-machine/result-tokens";
import type { CallState, ExecutionState } from "@yagate/execution-machine/state";
import { errorText } from "@yagate/execution-machine/tool-error";
import { quotesOthers } from "@yagate/execution-machine/untrusted-reads";
import { artifactIdOf } from "@yagate/lib/artifacts/artifact-id";
import { pieceOf } from "@yagate/lib/artifacts/text-piece";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { ToolErrorRecord } from "@yagate/protocol";
import { cutMark, lostOf } from "../../projection/cut-mark.ts";
import { previewResult } from "../../projection/preview-result.ts";
import { projectResult } from "../../projection/project-result.ts";
import { originOfPiece } from "../artifacts/artifact-origin.ts";

/** The execution whose model reads the results. */
export interface ResultReader {
  readonly state: ExecutionState;
  /** Whether the model has a tool that reads artifacts. */
  readonly canReadArtifacts: boolean;
}

// A call that has ended stays the same object, and its result may be megabytes long, so the preview is cached.
const previews = new WeakMap<CallState, string>();

/** Returns the text that the model reads for a call that has ended. */
export function readResult(call: CallState, { state, canReadArtifacts }: ResultReader): string {
  const { error, result = null } = call;
  if (call.status !== "completed" && error !== null) return readError(call, error, canReadArtifacts);
  const wrap = (text: string) => (isFromOutside(call, state) ? wrapWithWarnings(text, call) : text);
  const known = previews.get(call);
  if (known !== undefined) return known;
  const read = call.projection === undefined ? result : projectResult(result, call.projection);
  if (!isArtifact(call)) return kept(call, wrap(JSON.stringify(read)));
  const preview = previewResult({
    artifactId: artifactIdOf(call.id),
    result: read,
    maxCharacters: maxPreviewCharacters(call),
    canReadMore: canReadArtifacts,
    lost: call.kind === "network" ? lostOf(result) : undefined,
    wrap,
  });
  return kept(call, preview);
}

/**
 * Returns the text that the model reads for an error. The mark of a cut is outside the frame, so that untrusted content
 * can't imitate it.
 */
function readError(call: CallState, error: ToolErrorRecord, canReadArtifacts: boolean): string {
  const whole = errorText(error);
  // Some providers reject a request that contains half of a surrogate pair.
  const { text } = pieceOf(whole, 0, MAX_ERROR_CHARACTERS);
  const isForeign = (isExternal(call) || call.isUntrusted) && quotesOthers(call);
  const shown = isForeign ? wrapWithWarnings(text, call) : text;
  if (text === whole) return shown;
  const next = { artifactId: artifactIdOf(call.id), offset: text.length };
  const mark = cutMark({
    left: whole.length - text.length,
    total: whole.length,
    canReadMore: canReadArtifacts && isArtifact(call) ? next : false,
    lost: call.kind === "network" ? lostOf(error.details) : undefined,
  });
  return `${shown}\n${mark}`;
}

function kept(call: CallState, text: string): string {
  if (call.frameNonce !== undefined || isArtifact(call)) previews.set(call, text);
  return text;
}

/** Frames untrusted text. The frame contains the codes of the warnings, unless the result contains its own. */
function wrapWithWarnings(text: string, call: CallState): string {
  const isKnown = call.frameNonce === undefined || !call.isUntrusted || namesWarnings(call);
  return wrapExternal(text, call, isKnown ? [] : injectionCodes(text));
}

function namesWarnings({ kind, result }: Pick<CallState, "kind" | "result">): boolean {
  if (kind === "handler" || !isJsonObject(result)) return false;
  return result["source_untrusted"] === true && Array.isArray(result["warnings"]);
}

/**
 * Returns whether the result is untrusted. A part of an artifact is as untrusted as the whole artifact. If a composed
 * tool reads the artifact, its call has the mark.
 */
function isFromOutside(call: CallState, state: ExecutionState): boolean {
  return [call, originOfPiece(call, state)].some((one) => one !== undefined && (isExternal(one) || one.isUntrusted));
}

/**
 * Maximum length of the text that is scanned for injections, in characters. A model turn may read many results in one
 * go, and nothing else runs during the scan.
 */
const MAX_SCANNED_CHARACTERS = 16_384;

function injectionCodes(text: string): readonly string[] {
  return findInjections(text.slice(0, MAX_SCANNED_CHARACTERS)).map(({ code }) => code);
}
