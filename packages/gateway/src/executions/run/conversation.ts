import { editNote } from "@yagate/execution-machine/result-tokens";
import type { CallState, ExecutionState, TurnState } from "@yagate/execution-machine/state";
import type { AssistantPart, ModelMessage, ToolResultForModel } from "@yagate/models/port";
import { type ExecutionInput, jsonObjectSchema, jsonValueSchema } from "@yagate/protocol";
import * as z from "zod";
import { type ResultReader, readResult } from "./read-result.ts";

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
