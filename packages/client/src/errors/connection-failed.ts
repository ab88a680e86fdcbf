import { YagateError } from "@yagate/protocol";

/** Nobody answered, or an answer broke off. Names the origin only; the cause keeps what the platform said. */
export function connectionFailed(what: string, origin: string, cause?: unknown): YagateError {
  const reason = systemCode(cause);
  return new YagateError("CONNECTION_FAILED", `${what} ${origin}${reason === undefined ? "" : ` (${reason})`}`, {
    cause,
  });
}

// fetch hides ECONNREFUSED and its like one or two causes deep.
function systemCode(error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > 3) return undefined;
  const code: unknown = Reflect.get(error, "code");
  if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return code;
  return systemCode(Reflect.get(error, "cause"), depth + 1);
}
