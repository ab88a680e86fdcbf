import { findInjections } from "@yagate/builtins/web/injection/find-injections";
import {
  editNote,
  isArtifact,
  isExternal,
  MAX_ERROR_CHARACTERS,
  maxPreviewCharacters,
  wrapExternal,
} from "@yagate/execution-machine/result-tokens";
import type { CallState, ExecutionState, TurnState } from "@yagate/execution-machine/state";
import { errorText } from "@yagate/execution-machine/tool-error";
import { quotesOthers } from "@yagate/execution-machine/untrusted-reads";
import { artifactIdOf } from "@yagate/lib/artifacts/artifact-id";
import { pieceOf } from "@yagate/lib/artifacts/text-piece";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { AssistantPart, ModelMessage, ToolResultForModel } from "@yagate/models/port";
import { type ExecutionInput, jsonObjectSchema, jsonValueSchema, type ToolErrorRecord } from "@yagate/protocol";
import * as z from "zod";
import { cutMark, lostOf } from "../../projection/cut-mark.ts";
import { previewResult } from "../../projection/preview-result.ts";
import { projectResult } from "../../projection/project-result.ts";
import { originOfPiece } from "../artifacts/artifact-origin.ts";

/**
 * Builds the messages of the next model turn, with one result per call, in the order of the calls.
 *
 * @param canReadArtifacts - whether the model has a tool that reads artifacts; default false.
 */
export function toConversation(
  state: ExecutionState,
  input: ExecutionInput,
  assistantMessages: ReadonlyMap<number, readonly AssistantPart[]>,
  canReadArtifacts = false,
): readonly ModelMessage[] {
  const completed = state.turns.filter((turn) => turn.phase === "responded");
  const reader = { state, canReadArtifacts };
  const { citationRequest: asked } = state;
  return [
    ...toInputMessages(input),
    ...completed.flatMap((turn) => [
      ...toTurnMessages(turn, assistantMessages, reader),
      ...(asked?.turn === turn.number ? [{ role: "user" as const, text: asked.message }] : []),
    ]),
  ];
}

function toInputMessages(input: ExecutionInput): readonly ModelMessage[] {
  if (typeof input === "string") return [{ role: "user", text: input }];
  return input.map(({ role, content }) =>
    role === "user" ? { role, text: content } : { role, parts: [{ type: "text", text: content }] },
  );
}

function toTurnMessages(
  turn: TurnState,
  assistantMessages: ReadonlyMap<number, readonly AssistantPart[]>,
  reader: ResultReader,
): readonly ModelMessage[] {
  const parts = assistantMessages.get(turn.number) ?? [];
  if (turn.calls.length === 0) return parts.length === 0 ? [] : [{ role: "assistant", parts }];
  const providerIds = new Map(
    parts.flatMap((part) => (part.type === "tool_call" ? [[part.toolCallId, part.providerCallId] as const] : [])),
  );
  const results = turn.calls.map((call) => toResult(call, providerIds.get(call.id) ?? call.id, reader));
  return [
    { role: "assistant", parts },
    { role: "tool", results },
  ];
}

function toResult(call: CallState, providerCallId: string, reader: ResultReader): ToolResultForModel {
  const isError = call.status !== "completed";
  const text = editNote(call) + readResult(call, reader);
  return { toolCallId: call.id, providerCallId, name: call.name, isError, text };
}

const metadata = { providerMetadata: jsonObjectSchema.optional() };

const partSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), ...metadata }),
  z.object({ type: z.literal("reasoning"), text: z.string(), ...metadata }),
  z.object({
    type: z.literal("tool_call"),
    toolCallId: z.string(),
    providerCallId: z.string(),
    name: z.string(),
    parameters: jsonValueSchema,
    ...metadata,
  }),
  z.object({
    type: z.literal("hosted_call"),
    providerCallId: z.string(),
    name: z.string(),
    input: jsonValueSchema,
    ...metadata,
  }),
  z.object({
    type: z.literal("hosted_result"),
    providerCallId: z.string(),
    name: z.string(),
    output: jsonValueSchema,
    isError: z.boolean(),
    ...metadata,
  }),
]);

/**
 * Parses a stored assistant message.
 *
 * @throws ZodError if the message is not in the format that this gateway writes.
 */
export function parseAssistantMessage(stored: unknown): readonly AssistantPart[] {
  return z
    .array(partSchema)
    .parse(stored)
    .map(({ providerMetadata, ...part }) => (providerMetadata === undefined ? part : { ...part, providerMetadata }));
}

/** The execution whose model reads the results. */
interface ResultReader {
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
