import { cutText } from "@yagate/lib/text/cut-text";
import { type HandlerError, toolErrorAnswerSchema, YagateError } from "@yagate/protocol";

/** A response to a describe request that is not a manifest. */
export interface FailedResponse {
  readonly status: number;
  readonly body: Uint8Array;
  /**
   * Whether the handler signed the response. Anyone may have written one without a signature, so its body is not read.
   */
  readonly isSigned: boolean;
}

const MAX_MESSAGE_CHARACTERS = 1_000;
/** The statuses with which servers that are not handlers respond to a describe request. */
const NOT_A_HANDLER: ReadonlySet<number> = new Set([400, 404, 405, 406, 415]);

/** Returns why a handler did not describe its tools, in its own words if it signed them. */
export function toDescribeFailure({ status, body, isSigned }: FailedResponse): YagateError {
  const error = isSigned ? readError(body) : undefined;
  if (error?.code === "MANIFEST_INVALID") return new YagateError("MANIFEST_INVALID", cut(error.message));
  const answered = `the handler responded to a describe request with HTTP ${status}`;
  const message = error === undefined ? answered : cut(`${answered}, ${inWords(error)}`);
  if (status === 401 || status === 403) {
    const hint =
      error === undefined
        ? "check that the handler has the signing secret of the source (by default in YAGATE_SIGNING_SECRET), and that it supports describe requests"
        : "correct the problem that the handler reports";
    return new YagateError("SOURCE_UNAUTHORIZED", message, { hint });
  }
  if (error === undefined && NOT_A_HANDLER.has(status)) {
    const other = `the URL does not support describe requests: it responded with HTTP ${status}. If it is the URL of an MCP server, the source must have the kind mcp (--kind mcp)`;
    return new YagateError("SOURCE_UNREACHABLE", other, { hint: "correct the URL or the kind of the source" });
  }
  return new YagateError("SOURCE_UNREACHABLE", message, {
    hint: "check that the URL belongs to a handler that supports describe requests",
  });
}

function readError(body: Uint8Array): HandlerError | undefined {
  try {
    return toolErrorAnswerSchema.parse(JSON.parse(new TextDecoder().decode(body))).error;
  } catch {
    return undefined;
  }
}

/** The kit repeats the code as the message if there is nothing to add. */
function inWords({ code, message }: HandlerError): string {
  return message === code || message === "" ? code : `${code}: ${message}`;
}

function cut(message: string): string {
  return cutText(message, MAX_MESSAGE_CHARACTERS);
}
