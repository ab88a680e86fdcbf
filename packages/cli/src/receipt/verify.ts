import { readFile } from "node:fs/promises";
import {
  type ReceiptProblem,
  type ReceiptVerdict,
  toVisibleLine,
  verifyReceipt,
  workspaceIdSchema,
  YagateError,
} from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { readStandardInput } from "../signing-secrets/read-standard-input.ts";
import { textField } from "../verify/json-fields.ts";

const FETCH_TIMEOUT_MS = 10_000;

/**
 * Verifies a receipt and prints the result. The exit status is 1 if the receipt is not valid.
 *
 * @param file - the receipt as JSON; `-` reads standard input.
 * @param keySetPlace - a URL or a file. Default: the gateway's key set.
 * @throws YagateError `INVALID_REQUEST`, `NOT_CONFIGURED`, `PAYLOAD_INVALID` or `CONNECTION_FAILED` if the receipt
 *   could not be checked.
 */
export async function verify(invocation: Invocation, file: string, keySetPlace: string | undefined): Promise<void> {
  const receipt = parseJson(file === "-" ? await readStandardInput() : await readBytes(file), file);
  const place = keySetPlace ?? defaultPlace(receipt, await invocation.gatewayUrl());
  const keySet = parseJson(isUrl(place) ? await download(place) : await readBytes(place), place);
  const verdict = await verifyReceipt(receipt, keySet);
  if (!verdict.verified) process.exitCode = EXIT.answerIsNo;
  const document = verdict.verified ? { verified: true, kid: verdict.kid, keySet: place } : verdict;
  invocation.output.result(document, () =>
    verdict.verified ? verifiedText(verdict, place) : problemText(verdict.problem),
  );
}

function verifiedText({ receipt, kid }: Extract<ReceiptVerdict, { verified: true }>, place: string): string {
  return [
    "verified: the gateway signed this receipt, and its record is consistent",
    "",
    `  execution  ${receipt.executionId}, ${toVisibleLine(receipt.status)}`,
    `  workspace  ${receipt.workspaceId}`,
    `  entries    ${receipt.record.entries.length}`,
    `  chain ends ${receipt.record.head}`,
    `  key        ${kid}, from ${place}`,
  ].join("\n");
}

function problemText({ code, message, seq }: ReceiptProblem): string {
  const where = seq === undefined ? [] : [`  entry      ${seq}`];
  return [`not verified: ${code}`, "", `  why        ${toVisibleLine(message)}`, ...where].join("\n");
}

/** Returns the URL of the gateway's key set for the receipt's workspace. */
function defaultPlace(receipt: unknown, gatewayUrl: string | undefined): string {
  if (gatewayUrl === undefined) {
    throw new YagateError("NOT_CONFIGURED", "expected --jwks with a URL or a file, or the URL of the gateway", {
      hint: "add --jwks, or set the gateway's URL: --url, YAGATE_BASE_URL or a profile",
    });
  }
  const workspaceId = workspaceIdSchema.safeParse(textField(receipt, "workspaceId"));
  if (!workspaceId.success) throw new YagateError("PAYLOAD_INVALID", "expected the JSON of a receipt");
  return `${gatewayUrl.replace(/\/+$/, "")}/.well-known/jwks/${workspaceId.data}.json`;
}

function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

async function download(url: string): Promise<Buffer> {
  let response: Response;
  try {
    // A redirect would let the server choose where the keys come from.
    response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  } catch (cause) {
    throw new YagateError("CONNECTION_FAILED", `the key set at ${url} could not be read`, { cause });
  }
  if (response.ok) return Buffer.from(await response.arrayBuffer());
  throw new YagateError("CONNECTION_FAILED", `expected a key set at ${url}, but it responded with ${response.status}`);
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new YagateError("INVALID_REQUEST", `the file ${path} can't be read`, { cause });
  }
}

function parseJson(bytes: Buffer, from: string): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new YagateError("INVALID_REQUEST", `expected JSON in ${from}`);
  }
}
