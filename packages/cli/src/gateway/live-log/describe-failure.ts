import { type ErrorCode, isErrorCode } from "@yagate/protocol";
import { withCommandName } from "../../command-name.ts";
import { errorDocsUrl } from "../../frame/docs-url.ts";

/** An error in an event: of a tool call, or of a model request or execution. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly developerMessage?: string | undefined;
  /** `handler` if the handler chose the code. */
  readonly source?: string | undefined;
}

/** What a developer can do. The hints of the errors themselves are meant for the model. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  INVALID_ARGUMENTS: "describe the parameters more precisely, so that the model can follow the schema",
  UNKNOWN_TOOL: "compare the name of the tool in the agent with the name that the handler registers",
  TIMEOUT: "make the handler faster, raise the tool's timeout, or make the tool async",
  NETWORK_ERROR: "check that the handler is running and that its URL is correct",
  TLS_ERROR: "check the certificate of the handler's host",
  URL_BLOCKED: "yagate egress check <url> explains the decision; YAGATE_ALLOW_CIDRS allows a network",
  DNS_BLOCKED: "yagate egress check <url> explains the decision",
  HANDLER_ERROR: "read the handler's own log; yagate verify explains a rejected signature",
  HANDLER_GONE: "the handler responded with 410: correct the URL of the tool",
  REDIRECT_REFUSED: "save the final URL as the tool's handler",
  INVALID_RESPONSE: 'the handler must respond with {"result": …} or {"error": {"code", "message"}}',
  INVALID_RESPONSE_SIGNATURE: "give the handler the signing secret of this gateway",
  RESPONSE_TOO_LARGE: "return less data, such as one page of a list",
  CIRCUIT_OPEN: "the last calls of this endpoint failed; the first failures above show why",
  CREDENTIAL_MISSING: "store the secret with yagate secret set",
  POLICY_DENIED: "read the policy of the agent: yagate agents show",
  OUTCOME_UNKNOWN: "declare the tool read_only or idempotent_write if repeating it is safe",
  MODEL_ERROR: "check the provider's key and the name of the model",
  NOT_CONFIGURED: "set the provider's key; yagate help environment lists the variables",
};

/** Returns the details of an error: the cause, what to do, and the page with its code. */
export function describeFailure({ code, message, developerMessage, source }: Failure): readonly string[] {
  const known = source === "handler" || !isErrorCode(code) ? undefined : code;
  const advice = known && ADVICE[known];
  return [
    ...(developerMessage === undefined || developerMessage === message ? [] : [`cause: ${developerMessage}`]),
    ...(advice === undefined ? [] : [`Try: ${withCommandName(advice)}`]),
    ...(known === undefined ? [] : [errorDocsUrl(known)]),
  ];
}
