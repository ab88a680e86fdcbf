import { readFile } from "node:fs/promises";
import { YagateError } from "@yagate/protocol";
import { readStandardInput } from "../signing-secrets/read-standard-input.ts";
import { readAttemptRecord } from "./attempt-record.ts";
import { field } from "./json-fields.ts";
import { parseHeaderLine } from "./parse-header-line.ts";
import { readHar } from "./read-har.ts";
import { isRawMessage, readRawMessage } from "./read-raw-message.ts";
import type { SavedRequest } from "./saved-request.ts";

/** Where to read a saved request from, as set on the command line. */
export interface RequestSources {
  /** Headers as `Name: value`. They replace headers of the same name in a file. */
  readonly header?: readonly string[] | undefined;
  readonly bodyFile?: string | undefined;
  /** The number of the request in a HAR file, starting at 1. */
  readonly entry?: number | undefined;
}

/**
 * Reads the request from the sources that a command's options set: a file in one of three formats (raw HTTP, HAR, the
 * gateway's record of an attempt), or headers and a file with the body.
 *
 * @param path - the path of the file; `-` reads standard input.
 * @throws YagateError `INVALID_REQUEST`.
 */
export async function readRequest(
  path: string | undefined,
  sources: RequestSources,
): Promise<SavedRequest | undefined> {
  const given = (sources.header ?? []).map((line) => parseHeaderLine(line, "--header"));
  const file = path === undefined ? undefined : readMessage(await readBytes(path), sources.entry);
  const body = sources.bodyFile === undefined ? file?.body : await readBytes(sources.bodyFile);
  if (body === undefined) return undefined;
  return withHeaders({ ...(file ?? { headers: [], notes: [], isExact: true }), body }, given);
}

/** Adds headers to a request. They replace headers of the same name. */
export function withHeaders(request: SavedRequest, given: SavedRequest["headers"]): SavedRequest {
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  return { ...request, headers: [...request.headers.filter(([name]) => !names.has(name.toLowerCase())), ...given] };
}

function readMessage(bytes: Buffer, entry: number | undefined): SavedRequest {
  if (isRawMessage(bytes)) return readRawMessage(bytes);
  const json = parseJson(bytes);
  return field(json, "log") === undefined ? readAttemptRecord(json) : readHar(json, entry);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
  } catch {
    // No cause, because the message of a syntax error quotes the file.
    throw new YagateError(
      "INVALID_REQUEST",
      "expected a saved request: HTTP, HAR, or the gateway's record of an attempt",
      {
        hint: "HTTP starts with its request line, such as POST /tools HTTP/1.1; pass a body alone with --body-file, together with --header",
      },
    );
  }
}

async function readBytes(path: string): Promise<Buffer> {
  if (path === "-") return readStandardInput();
  try {
    return await readFile(path);
  } catch (cause) {
    const hint = path.startsWith("whsec_")
      ? "this looks like a signing secret, which is now in the history of your shell: replace it, and see --secret-env"
      : "check the path and its permissions";
    const shown = path.startsWith("whsec_") ? "the file" : path;
    throw new YagateError("INVALID_REQUEST", `expected a saved request in ${shown}, which can't be read`, {
      hint,
      cause,
    });
  }
}
