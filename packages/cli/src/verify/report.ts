import { type ErrorCode, type FieldError, SIGNATURE_HEADER, type ToolCall, toolNameSchema } from "@yagate/protocol";
import type { Explanation } from "./causes/explanation.ts";
import { digestsIn } from "./causes/header-digests.ts";
import type { Judgement, Verdict } from "./judge.ts";
import { headerOf, type SavedRequest } from "./saved-request.ts";

/** The result of `yagate verify`, which `--json` prints. It contains no secret, no signature and no argument value. */
export interface VerifyReport {
  readonly accepted: boolean;
  readonly code?: ErrorCode;
  readonly reason?: string;
  readonly faults?: readonly FieldError[];
  readonly causes?: readonly { readonly id: string; readonly cause: string; readonly advice: string }[];
  /** Whether signing under the suspected cause reproduced exactly the signature that was sent. */
  readonly isCauseProven?: boolean;
  /** The name of the secret with which the request was signed. */
  readonly secret?: string;
  /** The number of the matching entry in the header, starting at 1. */
  readonly entry?: number;
  /** The number of digests in the header. */
  readonly entries: number;
  readonly bodyBytes: number;
  readonly call?: {
    readonly toolCallId: string;
    readonly name: string;
    readonly attempt: number;
    readonly timestamp: string;
    readonly audience?: string;
  };
  /**
   * The age in seconds at `judgedAt`, or now if the age was not judged; negative if the request was signed in the
   * future.
   */
  readonly ageSeconds?: number;
  readonly judgedAt?: string;
  readonly toleranceSeconds: number;
  /** Whether the age and the audience were judged. */
  readonly isAgeJudged: boolean;
  readonly isAudienceJudged: boolean;
  readonly notes: readonly string[];
}

export function toReport(
  verdict: Verdict,
  explanation: Explanation | undefined,
  request: SavedRequest,
  judgement: Judgement,
  nowMs: number,
): VerifyReport {
  const { call, match } = verdict;
  const secret = match?.secret ?? explanation?.secret;
  const momentMs = judgement.atMs ?? nowMs;
  const header = headerOf(request, SIGNATURE_HEADER) ?? "";
  return {
    accepted: verdict.code === undefined,
    ...(verdict.code !== undefined && { code: verdict.code }),
    ...(verdict.reason !== undefined && { reason: verdict.reason }),
    ...(verdict.faults !== undefined && { faults: verdict.faults }),
    ...(explanation !== undefined && {
      causes: explanation.causes.map(({ id, cause, advice }) => ({ id, cause, advice })),
      isCauseProven: explanation.isProven,
    }),
    ...(secret !== undefined && { secret: secret.name }),
    ...(match !== undefined && { entry: match.entry }),
    entries: match?.entries ?? digestsIn(header).length,
    bodyBytes: request.body.byteLength,
    ...(call !== undefined && {
      call: shownCall(call),
      ageSeconds: Math.round((momentMs - Date.parse(call.timestamp)) / 1_000),
    }),
    ...(judgement.atMs !== undefined && { judgedAt: new Date(judgement.atMs).toISOString() }),
    toleranceSeconds: judgement.toleranceSeconds,
    isAgeJudged: judgement.atMs !== undefined,
    isAudienceJudged: judgement.audience !== undefined,
    notes: [...request.notes, ...notesOn(verdict)],
  };
}

function shownCall({ toolCallId, name, attempt, timestamp, audience }: ToolCall): NonNullable<VerifyReport["call"]> {
  // The body is untrusted: a name may contain control characters for the terminal.
  const isName = toolNameSchema.safeParse(name).success;
  const isPrintable = audience !== undefined && /^[\x21-\x7e]{1,2000}$/.test(audience);
  return {
    toolCallId,
    name: isName ? name : "(no tool name)",
    attempt,
    timestamp,
    ...(isPrintable && { audience }),
  };
}

function notesOn({ match }: Verdict): readonly string[] {
  if (match === undefined || match.entries < 2) return [];
  return [
    `The header is a list of ${match.entries} signatures, as during a rotation. A verifier that compares the complete header rejects it. Split it at commas, or rotate with overlapSeconds: 0.`,
  ];
}
