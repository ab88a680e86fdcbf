import { DEFAULT_TOLERANCE_SECONDS, SIGNATURE_HEADER, YagateError } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { readSecrets } from "../signing-secrets/read-secrets.ts";
import type { SecretSources } from "../signing-secrets/secret-sources.ts";
import { toSavedRequest } from "./attempt-record.ts";
import type { Explanation } from "./causes/explanation.ts";
import { explain } from "./explain.ts";
import { type Judgement, judge, type Verdict } from "./judge.ts";
import { parseHeaderLine } from "./parse-header-line.ts";
import { printReport } from "./print-report.ts";
import { type RequestSources, readRequest, withHeaders } from "./read-request.ts";
import { toReport } from "./report.ts";
import { headerOf, type SavedRequest } from "./saved-request.ts";

/** Options for `yagate verify`. */
export interface VerifyOptions extends SecretSources, Omit<RequestSources, "entry"> {
  readonly entry?: string;
  readonly attempt?: string;
  readonly audience?: string;
  readonly tolerance?: string;
  readonly at?: string;
}

/**
 * Judges one saved request and explains a rejection. The exit status is 0 if the request is accepted, 1 if it is
 * rejected.
 */
export async function verify(invocation: Invocation, path: string | undefined, options: VerifyOptions): Promise<void> {
  assertOneStandardInput(path, options);
  const { request, sent } = await findRequest(invocation, path, options);
  const nowMs = Date.now();
  const judgement: Judgement = {
    secrets: await readSecrets(options, { env: process.env, terminal: invocation.terminal() }),
    toleranceSeconds: parseTolerance(options.tolerance),
    audience: options.audience,
    atMs: options.at === undefined ? request.receivedAtMs : parseMoment(options.at, nowMs),
  };
  const verdict = await judge(request, judgement);
  const explanation = verdict.code === undefined ? undefined : await explain(verdict, request, judgement, sent);
  if (verdict.code === "SECRET_INVALID") throw noSecret(verdict, explanation);
  const report = toReport(verdict, explanation, request, judgement, nowMs);
  invocation.output.result(report, () => printReport(report));
  if (!report.accepted) process.exitCode = EXIT.answerIsNo;
}

/** Finds the request to judge, and the request in the gateway's record. */
async function findRequest(invocation: Invocation, path: string | undefined, options: VerifyOptions) {
  const { header = [], bodyFile, attempt } = options;
  const received = await readRequest(path, { header, bodyFile, entry: parseEntry(options.entry) });
  const sent = attempt === undefined ? undefined : await fetchAttempt(invocation, attempt);
  if (received !== undefined) return { request: received, sent };
  if (sent === undefined) {
    throw new YagateError("INVALID_REQUEST", "expected a saved request", {
      hint: "pass a file (HTTP, HAR, or the gateway's record of an attempt), --body-file with --header, or --attempt",
    });
  }
  const request = withHeaders(
    sent,
    header.map((line) => parseHeaderLine(line, "--header")),
  );
  assertHasSignature(request);
  return { request, sent };
}

/**
 * Requires a signature, without which there is nothing to judge. The gateway's record of a call contains none, so its
 * absence from a record proves nothing.
 */
function assertHasSignature(request: SavedRequest): void {
  if (headerOf(request, SIGNATURE_HEADER) !== undefined) return;
  throw new YagateError(
    "INVALID_REQUEST",
    "the gateway's record of an attempt has no signature, so that the record cannot be used to send the call again",
    {
      hint: "add the header that the handler received (--header 'X-YA-Signature: sha256=…'), or pass the request as it arrived in a file: the two are compared",
    },
  );
}

async function fetchAttempt(invocation: Invocation, id: string): Promise<SavedRequest> {
  return toSavedRequest(await (await invocation.client()).attempts.get(id));
}

function assertOneStandardInput(path: string | undefined, { bodyFile, secretStdin = false }: VerifyOptions): void {
  const readers = [path === "-", bodyFile === "-", secretStdin].filter(Boolean);
  if (readers.length < 2) return;
  throw new YagateError(
    "INVALID_REQUEST",
    "standard input can only be one of these: the request, its body or the secret",
    {
      hint: "put the secret into a variable or a file",
    },
  );
}

/** Creates the error for an invalid secret. With it, no call can be judged, so this is not a rejection. */
function noSecret({ reason = "" }: Verdict, explanation: Explanation | undefined): YagateError {
  const [{ cause, advice } = { cause: "", advice: "" }] = explanation?.causes ?? [];
  return new YagateError("NOT_CONFIGURED", `${reason}; expected whsec_ and the base64 of 24 to 64 bytes`, {
    hint: `${cause}\n${advice}`,
  });
}

function parseEntry(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,6}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new YagateError("INVALID_REQUEST", "--entry: expected a number of at least 1");
}

function parseTolerance(text = String(DEFAULT_TOLERANCE_SECONDS)): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new YagateError("INVALID_REQUEST", "--tolerance: expected whole seconds, at least 1");
}

function parseMoment(text: string, nowMs: number): number {
  const moment = text === "now" ? nowMs : Date.parse(text);
  if (!Number.isNaN(moment) && (text === "now" || /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text))) return moment;
  throw new YagateError(
    "INVALID_REQUEST",
    '--at: expected "now" or a time with its zone, such as 2026-01-15T18:02:11Z',
  );
}
