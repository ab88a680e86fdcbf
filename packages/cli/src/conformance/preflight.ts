import { parseHttpDate } from "@yagate/lib/http/http-date";
import { type ErrorCode, YagateError } from "@yagate/protocol";
import { elapsed } from "../text/duration.ts";
import { type AnswerTraits, acceptedFault, errorCodeOf, isSameAnswer, told, traitsOf } from "./judgements.ts";
import type { Probe } from "./probe.ts";
import type { Answer, Exchange } from "./wire/exchange.ts";

/** What the first calls revealed. */
export interface Preflight {
  /** Whether each run of the tool returns a different result. */
  readonly isResultUnique: boolean;
  /** Properties of all responses, which the cases rely on. */
  readonly genuine: AnswerTraits;
  /** Notes for the reader of the report. */
  readonly notes: readonly string[];
}

const CALLS = 3;
const SKEW_NOTED_MS = 10_000;

/**
 * Sends three genuine calls. If the handler does not accept them, no case can be judged.
 *
 * @throws YagateError that explains the problem to the user of the command.
 */
export async function preflight(probe: Probe): Promise<Preflight> {
  const answers: Answer[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const exchange = await probe.sendCall(probe.call());
    if (exchange.kind !== "answer" || acceptedFault(exchange) !== undefined) throw obstacle(exchange, probe);
    answers.push(exchange);
  }
  const [first] = answers;
  const traits = answers.map(traitsOf);
  const genuine = {
    hasResult: traits.every(({ hasResult }) => hasResult),
    isSigned: traits.every(({ isSigned }) => isSigned),
  };
  const isResultUnique =
    genuine.hasResult &&
    answers.every((answer, index) => answers.slice(index + 1).every((other) => !isSameAnswer(answer, other)));
  return { isResultUnique, genuine, notes: first === undefined ? [] : notesOn(first, probe) };
}

function notesOn(answer: Answer, probe: Probe): readonly string[] {
  const notes: string[] = [];
  if (!traitsOf(answer).hasResult)
    notes.push(`The tool ${told(answer)}: to test more, choose arguments with which it succeeds.`);
  const skewMs = (parseHttpDate(answer.headers.get("date") ?? "") ?? Number.NaN) - probe.settings.now();
  if (Math.abs(skewMs) > SKEW_NOTED_MS) {
    notes.push(
      `The handler's clock is ${elapsed(Math.abs(skewMs))} ${skewMs > 0 ? "ahead of" : "behind"} this machine's clock.`,
    );
  }
  return notes;
}

/** Creates the error that states why a genuine call failed and what to do about it. */
export function obstacle(exchange: Exchange, { settings: { target, tool } }: Pick<Probe, "settings">): YagateError {
  const place = target.host;
  if (exchange.kind === "silent") {
    return problem(
      "CONNECTION_FAILED",
      `${place} did not respond within ${elapsed(exchange.tookMs)}`,
      "check the host and the port, or wait longer with --answer-timeout",
    );
  }
  if (exchange.kind === "closed") return connectionProblem(exchange.code, target);
  return answerProblem(exchange, target, tool);
}

function connectionProblem(code: string, { host, protocol }: URL): YagateError {
  if (code === "ECONNREFUSED")
    return problem("CONNECTION_FAILED", `nothing listens at ${host}`, "start the handler, and check the port");
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return problem("CONNECTION_FAILED", `the host ${host} does not exist`, "check the name in the URL");
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "EPROTO" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG") {
    return problem("TLS_ERROR", `${host} does not speak TLS`, "use an http:// URL, or serve the handler over TLS");
  }
  if (/CERT|SIGNED|ISSUER|ERR_TLS|ERR_SSL|CHAIN|VERIFY/.test(code)) {
    return problem(
      "TLS_ERROR",
      `the certificate of ${host} is not trusted (${code})`,
      "set NODE_EXTRA_CA_CERTS to the file with its CA certificate; the gateway rejects the certificate as well",
    );
  }
  const isHttp = protocol === "http:";
  return problem(
    "CONNECTION_FAILED",
    `${host} closed the connection without an HTTP response (${code})`,
    isHttp
      ? "check whether the handler expects an https:// URL, and whether its process ends"
      : "check whether the handler's process ends",
  );
}

function answerProblem(answer: Answer, target: URL, tool: string): YagateError {
  const { status, headers } = answer;
  const code = errorCodeOf(answer);
  if (status >= 300 && status <= 399) {
    return problem(
      "REDIRECT_REFUSED",
      `${target.host} redirects (${status})${locationOf(headers, target)}`,
      "pass the final URL: the gateway never follows a redirect",
    );
  }
  if (code === "UNKNOWN_TOOL")
    return problem(
      "INVALID_REQUEST",
      `the handler has no tool ${tool}`,
      "pass the name of one of its tools with --tool",
    );
  if (code === "INVALID_ARGUMENTS")
    return problem(
      "INVALID_REQUEST",
      `the tool ${tool} does not accept these arguments`,
      "pass valid arguments with --parameters",
    );
  if (code === "SIGNATURE_MISMATCH") {
    return problem(
      "SIGNATURE_MISMATCH",
      "the handler rejected a genuine call: SIGNATURE_MISMATCH",
      "check that the handler uses the same signing secret. If it does, save a request and run yagate verify. Common mistakes: the HMAC key must be the secret's text as it is, and the signature covers the raw bytes of the body",
    );
  }
  if (code === "TIMESTAMP_TOO_OLD" || code === "TIMESTAMP_IN_FUTURE") {
    return problem(
      code,
      `the handler rejected a genuine call: ${code}`,
      "compare the handler's clock with this machine's",
    );
  }
  if (code === "BODY_ALREADY_PARSED") {
    return problem(
      code,
      "the handler rejected a genuine call: BODY_ALREADY_PARSED",
      "mount the tool handler before every body parser: it needs the bytes as received",
    );
  }
  if (/html/i.test(headers.get("content-type") ?? "")) {
    return problem(
      "INVALID_RESPONSE",
      `${target.href} responds with ${status} and an HTML page`,
      "check that this is the handler's URL, including its path",
    );
  }
  if (status === 404 || status === 405) {
    return problem("NOT_FOUND", `${target.href} does not accept POST (${status})`, "check the path of the URL");
  }
  return problem(
    "INVALID_RESPONSE",
    `the handler did not accept a genuine call: ${acceptedFault(answer) ?? told(answer)}`,
    status === 401 || status === 403
      ? "check that the handler uses the same signing secret, and that nothing in front of it requires authentication"
      : 'a handler responds with 200 and { "result": … }; --tool and --parameters select the tool',
  );
}

function locationOf(headers: Answer["headers"], target: URL): string {
  const location = headers.get("location") ?? "";
  if (!URL.canParse(location, target.href)) return "";
  const { origin, pathname } = new URL(location, target.href);
  return ` to ${origin}${pathname}`;
}

function problem(code: ErrorCode, message: string, hint: string): YagateError {
  return new YagateError(code, message, { hint });
}
