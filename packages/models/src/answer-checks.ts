import { MAX_CALLS_PER_TURN } from "@yagate/protocol";
import type { CallWarning } from "ai";
import type { ErrorSource } from "./model-errors.ts";
import { tooManyCalls } from "./part-bounds.ts";
import { ModelTurnError } from "./port.ts";
import type { SdkAnswer } from "./turn-conversion.ts";

/** A stream that ends without saying why was cut off, by a proxy for instance: what there is of it may be half. */
export function assertFinished(
  answer: SdkAnswer,
  source: ErrorSource,
  { mayBeSilent }: { mayBeSilent: boolean },
): void {
  const { finishReason, rawFinishReason } = answer;
  if (finishReason === "error") {
    const safe = source.redaction === undefined ? rawFinishReason : source.redaction.text(rawFinishReason ?? "");
    const reason = rawFinishReason === undefined ? "" : ` (${safe?.slice(0, 60)})`;
    throw new ModelTurnError("MODEL_ERROR", `${source.provider} failed while it answered${reason}`, {
      isRetryable: true,
    });
  }
  const isSilent = finishReason === "other" && rawFinishReason === undefined;
  if (finishReason === "interrupted" || (isSilent && !mayBeSilent)) {
    throw new ModelTurnError("MODEL_ERROR", `the answer of ${source.provider} broke off`, { isRetryable: true });
  }
}

/** A tool that a provider cannot take is left out of the request with no more than a warning. */
export function assertToolsWereSent(warnings: readonly CallWarning[] | undefined, source: ErrorSource): void {
  for (const warning of warnings ?? []) {
    if (warning.type !== "unsupported") continue;
    // Where a choice cannot be forced, what came of it is checked afterwards.
    if (!/tool/i.test(warning.feature) || warning.feature === "toolChoice") continue;
    throw new ModelTurnError("MODEL_ERROR", `${source.provider} cannot take the agent's tools: ${warning.feature}`);
  }
}

/** Holds all answers of a turn together to what each of them was held to. */
export function assertFewCalls({ content }: SdkAnswer, { provider }: ErrorSource): void {
  if (content.filter(({ type }) => type === "tool-call").length > MAX_CALLS_PER_TURN) throw tooManyCalls(provider);
}
