import { artifactIdOf } from "../artifacts/artifact-id.ts";
import { previewResult } from "../projection/preview-result.ts";
import { projectError } from "../projection/project.ts";
import { projectResult } from "../projection/project-result.ts";
import { isExternal, wrapExternal } from "./machine/external-data.ts";
import { isArtifact, MAX_ERROR_CHARACTERS, maxPreviewCharacters } from "./machine/result-tokens.ts";
import type { CallState, ExecutionState } from "./machine/state.ts";
import { tellsOfOthers } from "./machine/untrusted-reads.ts";
import { originOfPiece } from "./piece-origin.ts";

/** Whom the results are for. */
export interface ResultReader {
  readonly state: ExecutionState;
  /** The model has a tool that reads artifacts. */
  readonly canReadArtifacts: boolean;
}

// A call that has ended stays the same object, and its result may be megabytes.
const previews = new WeakMap<CallState, string>();

/** What the model reads of a call that has ended. */
export function readResult(call: CallState, { state, canReadArtifacts }: ResultReader): string {
  const { error, result = null } = call;
  if (call.status !== "completed" && error !== null) {
    const text = projectError(error, MAX_ERROR_CHARACTERS);
    return (isExternal(call) || call.isUntrusted) && tellsOfOthers(call) ? wrapExternal(text, call) : text;
  }
  const wrap = (text: string) => (isFromOutside(call, state) ? wrapExternal(text, call) : text);
  const known = previews.get(call);
  if (known !== undefined) return known;
  const read = call.projection === undefined ? result : projectResult(result, call.projection);
  if (!isArtifact(call)) return wrap(JSON.stringify(read));
  const preview = previewResult({
    artifactId: artifactIdOf(call.id),
    result: read,
    maxCharacters: maxPreviewCharacters(call),
    canReadMore: canReadArtifacts,
    wrap,
  });
  previews.set(call, preview);
  return preview;
}

/** A piece of an artifact is as foreign as the whole; of a composed tool that reads one the mark of the call says it. */
function isFromOutside(call: CallState, state: ExecutionState): boolean {
  return [call, originOfPiece(call, state)].some((one) => one !== undefined && (isExternal(one) || one.isUntrusted));
}
