import {
  type ErrorCode,
  type FieldError,
  isSigningSecret,
  MAX_CALL_BODY_BYTES,
  SIGNATURE_HEADER,
  type ToolCall,
  toFieldErrors,
  toolCallSchema,
  verifySignature,
  YagateError,
} from "@yagate/protocol";
import type { NamedSecret } from "../signing-secrets/named-secret.ts";
import { decodeText } from "./causes/decode-text.ts";
import { headerOf, type SavedRequest } from "./saved-request.ts";

/** The criteria for judging a request. */
export interface Judgement {
  readonly secrets: readonly NamedSecret[];
  readonly toleranceSeconds: number;
  /** The expected audience. It is compared only if it is set, as in the handler kit. */
  readonly audience?: string | undefined;
  /** The time at which the age is judged, in ms since the epoch. Without it, the age is reported but not judged. */
  readonly atMs?: number | undefined;
}

/** The matching signature. */
export interface Match {
  /** The number of the entry in the header, starting at 1. */
  readonly entry: number;
  readonly entries: number;
  readonly secret: NamedSecret;
}

/** How a handler that conforms to the contract treats the request. */
export interface Verdict {
  /** Absent if the call is accepted. */
  readonly code?: ErrorCode;
  readonly reason?: string;
  /** The invalid fields, without their values. */
  readonly faults?: readonly FieldError[];
  readonly match?: Match;
  readonly call?: ToolCall;
}

/** Judges a request in the order of the contract: size, secrets, signature, JSON, fields, age, audience. */
export async function judge(request: SavedRequest, judgement: Judgement): Promise<Verdict> {
  const { body } = request;
  if (body.byteLength > MAX_CALL_BODY_BYTES) {
    return {
      code: "BODY_TOO_LARGE",
      reason: `the body has ${body.byteLength} bytes; the maximum is ${MAX_CALL_BODY_BYTES}`,
    };
  }
  const malformed = judgement.secrets.find(({ value }) => !isSigningSecret(value));
  if (malformed !== undefined)
    return { code: "SECRET_INVALID", reason: `${malformed.name} does not contain a signing secret` };
  const signature = await judgeSignature(headerOf(request, SIGNATURE_HEADER), body, judgement.secrets);
  if ("code" in signature) return signature;
  return { match: signature, ...judgeCall(body, judgement) };
}

async function judgeSignature(
  header: string | undefined,
  body: Buffer,
  secrets: readonly NamedSecret[],
): Promise<Match | (Verdict & { readonly code: ErrorCode })> {
  const refusal = await refusalOf(
    header,
    body,
    secrets.map(({ value }) => value),
  );
  if (refusal !== undefined) return { code: refusal.code, reason: refusal.message };
  const entries = (header ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  for (const [index, entry] of entries.entries()) {
    for (const secret of secrets) {
      if ((await refusalOf(entry, body, [secret.value])) === undefined) {
        return { entry: index + 1, entries: entries.length, secret };
      }
    }
  }
  throw new YagateError("INTERNAL", "expected an accepted signature to match one of the entries");
}

async function refusalOf(
  header: string | undefined,
  body: Buffer,
  secrets: readonly string[],
): Promise<YagateError | undefined> {
  try {
    await verifySignature(header, body, secrets);
    return undefined;
  } catch (error) {
    if (YagateError.is(error)) return error;
    throw error;
  }
}

function judgeCall(body: Buffer, { atMs, toleranceSeconds, audience }: Judgement): Verdict {
  const text = decodeText(body);
  if (text === undefined) return { code: "PAYLOAD_INVALID", reason: "the body is not UTF-8" };
  const json = parse(text);
  if (json === undefined) return { code: "PAYLOAD_INVALID", reason: "the body is not JSON" };
  const parsed = toolCallSchema.safeParse(json.value);
  if (!parsed.success) {
    return { code: "PAYLOAD_INVALID", reason: "the body is not a tool call", faults: toFieldErrors(parsed.error) };
  }
  const call = parsed.data;
  if (atMs !== undefined) {
    const ageSeconds = (atMs - Date.parse(call.timestamp)) / 1_000;
    if (ageSeconds > toleranceSeconds) return { code: "TIMESTAMP_TOO_OLD", reason: "the call is too old", call };
    if (-ageSeconds > toleranceSeconds)
      return { code: "TIMESTAMP_IN_FUTURE", reason: "the call's timestamp is in the future", call };
  }
  if (audience !== undefined && call.audience !== audience) {
    const other = call.audience === undefined ? "names no audience" : "is meant for another handler";
    return { code: "PAYLOAD_INVALID", reason: `the call ${other}`, call };
  }
  return { call };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
