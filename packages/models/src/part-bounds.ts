import type { LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { MAX_CALLS_PER_TURN } from "@yagate/protocol";
import { ModelTurnError } from "./port.ts";
import { RESPONSE_LIMITS } from "./response-limits.ts";
import { toShallowInput } from "./shallow-input.ts";
import { tooLarge } from "./too-large.ts";

/**
 * Returns a part of one reply, with the input of a call cut to the maximum depth. Throws a ModelTurnError if the reply
 * exceeds a limit.
 */
export type PartBounds = <Part extends LanguageModelV4Content | LanguageModelV4StreamPart>(part: Part) => Part;

/** Creates the limits for one reply. An oversized reply is rejected before the rest of it is processed. */
export function createPartBounds(provider: string): PartBounds {
  const counts = { parts: 0, calls: 0, begunCalls: 0, characters: 0, containers: 0, values: 0 };

  function count(part: LanguageModelV4Content | LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta":
      case "tool-input-delta":
        counts.characters += part.delta.length;
        break;
      case "tool-call":
        counts.calls += 1;
        break;
      case "tool-input-start":
        counts.begunCalls += 1;
        break;
      default:
        counts.parts += 1;
    }
    if (Math.max(counts.calls, counts.begunCalls) > MAX_CALLS_PER_TURN) throw tooManyCalls(provider);
    if (counts.parts > RESPONSE_LIMITS.parts) throw tooLarge(provider, `${RESPONSE_LIMITS.parts} parts`);
    if (counts.characters > RESPONSE_LIMITS.bytes) throw tooLarge(provider, `${RESPONSE_LIMITS.bytes} characters`);
  }

  function toShallow(input: string): string {
    const { text, containers, values } = toShallowInput(input, RESPONSE_LIMITS.inputDepth);
    counts.containers += containers;
    counts.values += values;
    if (counts.containers > RESPONSE_LIMITS.containers) {
      throw tooLarge(provider, `${RESPONSE_LIMITS.containers} objects and arrays in the input of its calls`);
    }
    if (counts.values > RESPONSE_LIMITS.values) {
      throw tooLarge(provider, `${RESPONSE_LIMITS.values} values in the input of its calls`);
    }
    return text;
  }

  return (part) => {
    count(part);
    return part.type === "tool-call" ? { ...part, input: toShallow(part.input) } : part;
  };
}

/**
 * Creates the error for a reply with too many calls. No agent's limits allow that many calls, and each rejected call
 * still adds events: a turn with 100,000 calls would block the process.
 */
export function tooManyCalls(provider: string): ModelTurnError {
  const message = `${provider} returned more than ${MAX_CALLS_PER_TURN} tool calls in one turn`;
  return new ModelTurnError("MODEL_ERROR", message);
}
