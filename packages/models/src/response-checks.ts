import { MAX_CALLS_PER_TURN } from "@yagate/protocol";
import type { CallWarning } from "ai";
import type { ErrorSource } from "./model-errors.ts";
import { tooManyCalls } from "./part-bounds.ts";
import { ModelTurnError } from "./port.ts";
import type { SdkAnswer } from "./turn-conversion.ts";

/**
 * Throws if a response failed or was cut off. A stream without a finish reason was cut off, for example by a proxy, and
 * its content may be incomplete.
 */
export function assertFinished(
  answer: SdkAnswer,
  source: ErrorSource,
  { mayBeSilent }: { mayBeSilent: boolean },
): void {
  const { finishReason, rawFinishReason } = answer;
  if (finishReason === "error") {
    const safe = source.redaction === undefined ? rawFinishReason : source.redaction.text(rawFinishReason ?? "");
    const reason = rawFinishReason === undefined ? "" : ` (${safe?.slice(0, 60)})`;
    throw new ModelTurnError("MODEL_ERROR", `${source.provider} failed during its response${reason}`, {
      isRetryable: true,
    });
  }
  const isSilent = finishReason === "other" && rawFinishReason === undefined;
  if (finishReason === "interrupted" || (isSilent && !mayBeSilent)) {
    throw new ModelTurnError("MODEL_ERROR", `the response of ${source.provider} was cut off`, { isRetryable: true });
  }
}

/** Throws if the SDK dropped a tool. If a provider does not support a tool, the SDK only adds a warning. */
export function assertToolsWereSent(warnings: readonly CallWarning[] | undefined, source: ErrorSource): void {
  for (const warning of warnings ?? []) {
    if (warning.type !== "unsupported") continue;
    // A tool choice that the provider can't enforce is checked in the reply.
    if (!/tool/i.test(warning.feature) || warning.feature === "toolChoice") continue;
    throw new ModelTurnError(
      "MODEL_ERROR",
      `${source.provider} does not support the agent's tools: ${warning.feature}`,
    );
  }
}

/** Throws if a reply contains more tool calls than the maximum. */
export function assertFewCalls({ content }: SdkAnswer, { provider }: ErrorSource): void {
  if (content.filter(({ type }) => type === "tool-call").length > MAX_CALLS_PER_TURN) throw tooManyCalls(provider);
}
