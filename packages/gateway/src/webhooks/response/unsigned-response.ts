import { ERROR_TABLE, type ErrorCode, isErrorCode } from "@yagate/protocol";
import { decodeUtf8 } from "../../calls/decode-utf8.ts";
import { readResponseJson } from "../../calls/response-json.ts";
import { answerErrorOf } from "./handler-error.ts";

/** Longest body in which a refusal of the kit is looked for. */
const MAX_REFUSAL_BYTES = 4_096;

/**
 * Why an answer may be unsigned, for people alone: what it says of itself proves nothing, but a handler with another
 * secret can't say it in any other way.
 */
export function describeUnsigned(status: number, body: Uint8Array): string {
  const code = claimedCode(body);
  if (code === undefined) return `HTTP ${status}, without a signature`;
  const advice =
    code === "SIGNATURE_MISMATCH" ? "the handler probably holds another signing secret" : ERROR_TABLE[code].hint;
  return `HTTP ${status}, without a signature, claims ${code} (which nothing vouches for): ${advice}`;
}

function claimedCode(body: Uint8Array): ErrorCode | undefined {
  if (body.byteLength > MAX_REFUSAL_BYTES) return undefined;
  const json = readResponseJson(decodeUtf8(body));
  const error = json.isReadable ? answerErrorOf(json.value) : undefined;
  return error?.kind === "valid" && isUnsignedCode(error.error.code) ? error.error.code : undefined;
}

function isUnsignedCode(code: string): code is ErrorCode {
  return isErrorCode(code) && ERROR_TABLE[code].isUnsigned;
}
