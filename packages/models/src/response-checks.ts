import type { SharedV4Warning } from "@ai-sdk/provider";
import { MAX_CALLS_PER_TURN } from "@yagate/protocol";
import type { ErrorSource } from "./model-errors.ts";
import { tooManyCalls } from "./part-bounds.ts";
import { ModelTurnError } from "./port.ts";
import type { ProviderReply } from "./turn-conversion.ts";

/**
 * Throws if a response failed or was cut off. A stream without a finish reason was cut off, for example by a proxy, so
 * its content may be incomplete.
 */
export function assertFinished(
  answer: ProviderReply,
  source: ErrorSource,
  { mayBeSilent }: { mayBeSilent: boolean },
): void {
  const { unified, raw } = answer.finishReason;
  if (unified === "error") {
    const safe = source.redaction === undefined ? raw : source.redaction.text(raw ?? "");
    const reason = raw === undefined ? "" : ` (${safe?.slice(0, 60)})`;
    throw new ModelTurnError("MODEL_ERROR", `${source.provider} failed while it was sending its response${reason}`, {
      isRetryable: true,
    });
  }
  const isSilent = unified === "other" && raw === undefined;
  if (unified === "interrupted" || (isSilent && !mayBeSilent)) {
    throw new ModelTurnError("MODEL_ERROR", `the response from ${source.provider} was cut off`, { isRetryable: true });
  }
}

/** Throws if the SDK dropped a tool that the provider does not support. The SDK itself only reports a warning. */
export function assertToolsWereSent(warnings: readonly SharedV4Warning[] | undefined, source: ErrorSource): void {
  for (const warning of warnings ?? []) {
    if (warning.type !== "unsupported") continue;
    // A tool choice that the provider can't enforce is checked against the reply.
    if (!/tool/i.test(warning.feature) || warning.feature === "toolChoice") continue;
    throw new ModelTurnError(
      "MODEL_ERROR",
      `${source.provider} does not support the agent's tools: ${warning.feature}`,
    );
  }
}

/** Throws if a reply contains more tool calls than the maximum. */
export function assertFewCalls({ content }: ProviderReply, { provider }: ErrorSource): void {
  if (content.filter(({ type }) => type === "tool-call").length > MAX_CALLS_PER_TURN) throw tooManyCalls(provider);
}
