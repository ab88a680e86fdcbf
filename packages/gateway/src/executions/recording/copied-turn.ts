import type { AdmittedCall } from "@yagate/execution-machine/inputs";
import { defined } from "@yagate/lib/objects/defined";
import type { AssistantPart, ModelTurn } from "@yagate/models/port";
import { type ExecutionEvent, executionEventSchema, type Projection } from "@yagate/protocol";
import * as z from "zod";
import { parseAssistantMessage } from "../run/conversation.ts";
import { type RecordedOutcome, toFailure, toResult } from "./recorded-outcome.ts";
import { toTurnCall } from "./recorded-reply.ts";

type EventOf<Type extends ExecutionEvent["type"]> = Extract<ExecutionEvent, { type: Type }>;
type Requested = EventOf<"tool_call.requested">;
type Ended = EventOf<"tool_call.completed" | "tool_call.failed" | "tool_call.denied">;

/** A model turn of another execution, with the outcomes of its calls. */
export interface CopiedTurn {
  readonly responded: EventOf<"model.responded">;
  /** The assistant message, as the event log stores it. */
  readonly message?: unknown;
  /** The calls in the order of the model, each with the event that ended it. */
  readonly calls: readonly { readonly requested: Requested; readonly ended: Ended }[];
}

function eventOf<Type extends ExecutionEvent["type"]>(...types: readonly Type[]) {
  const isOfType = (event: ExecutionEvent): event is EventOf<Type> => types.some((type) => event.type === type);
  return executionEventSchema
    .refine(isOfType, `expected an event of the type ${types.join(" or ")}`)
    .transform((event): EventOf<Type> => {
      if (!isOfType(event)) throw new TypeError("expected the type that was checked before");
      return event;
    });
}

const copiedTurnSchema = z.object({
  responded: eventOf("model.responded"),
  message: z.unknown(),
  calls: z.array(
    z.object({
      requested: eventOf("tool_call.requested"),
      ended: eventOf("tool_call.completed", "tool_call.failed", "tool_call.denied"),
    }),
  ),
});

/**
 * Parses stored model turns.
 *
 * @throws ZodError if they are not in the form that this gateway writes.
 */
export function parseCopiedTurns(turns: readonly unknown[]): readonly CopiedTurn[] {
  return z.array(copiedTurnSchema).parse(turns);
}

/** Returns the reply of a copied turn. Its calls get new ids, and it costs nothing. */
export function toCopiedReply({ responded, message, calls }: CopiedTurn, newToolCallId: () => string): ModelTurn {
  const { text, finishReason, usage, hostedCalls = [], sources = [] } = responded;
  const parts = message === undefined ? [] : parseAssistantMessage(message);
  const newIds = new Map(calls.map(({ requested }) => [requested.toolCallId, newToolCallId()]));
  const sent = new Map(calls.map(({ requested }) => [requested.toolCallId, requested.parameters]));
  const providerIds = new Map(parts.flatMap((part) => (isCall(part) ? [[part.toolCallId, part.providerCallId]] : [])));
  return {
    ...{ text, finishReason, usage, hostedCalls, sources },
    toolCalls: calls.map(({ requested: { toolCallId, name, parameters } }, index) =>
      toTurnCall(
        { name, parameters },
        newIds.get(toolCallId) ?? "",
        providerIds.get(toolCallId) ?? `call_${index + 1}`,
      ),
    ),
    parts: parts.map((part) => {
      if (!isCall(part)) return part;
      const { toolCallId, parameters } = part;
      return { ...part, toolCallId: newIds.get(toolCallId) ?? "", parameters: sent.get(toolCallId) ?? parameters };
    }),
    cost: { usd: 0, isPartial: false },
  };
}

function isCall(part: AssistantPart): part is Extract<AssistantPart, { type: "tool_call" }> {
  return part.type === "tool_call";
}

/**
 * Returns the calls of a copied turn with the decisions of the recording. A call that failed or was denied fails again;
 * no call needs an approval, because nothing is sent.
 */
export function toCopiedCalls(
  { calls }: CopiedTurn,
  { toolCalls }: Pick<ModelTurn, "toolCalls">,
  newFrameNonce: () => string,
): readonly AdmittedCall[] {
  return calls.map(({ requested, ended }, index) => {
    const { name, parameters, kind, sideEffect, risk, policyDecision, leakedSecrets, isUntrusted } = requested;
    const projection = requested.projection as Projection | undefined;
    const frameNonce = requested.frameNonce === undefined ? undefined : newFrameNonce();
    const refusal =
      ended.type === "tool_call.completed"
        ? undefined
        : {
            ...toFailure(ended.error),
            isDenied: ended.type === "tool_call.denied",
            ...(ended.error.code === "TOOL_NOT_LOADED" ? { loads: [name] } : {}),
          };
    return {
      ...{ toolCallId: toolCalls[index]?.toolCallId ?? "", name, parameters },
      admission: {
        ...{ kind, sideEffect, risk, policyDecision },
        ...defined({ leakedSecrets, projection, isUntrusted, frameNonce, refusal }),
      },
    };
  });
}

/** Returns the outcome of a call of a copied turn. */
export function copiedOutcome({ calls }: CopiedTurn, index: number): RecordedOutcome {
  const { ended, requested } = calls[index] ?? {};
  if (ended === undefined || requested === undefined) return { divergence: "expected a call of the copied model turn" };
  return ended.type === "tool_call.completed" ? toResult(requested, ended.result) : { failure: toFailure(ended.error) };
}
