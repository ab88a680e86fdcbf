import { readFile } from "node:fs/promises";
import {
  DEFAULT_TOLERANCE_SECONDS,
  type JsonObject,
  jsonObjectSchema,
  toolNameSchema,
  YagateError,
} from "@yagate/protocol";
import type { SecretSources } from "../signing-secrets/secret-sources.ts";

/** Options for `yagate conformance`. */
export interface ConformanceOptions extends SecretSources {
  readonly tool?: string;
  readonly parameters?: string;
  readonly parametersFile?: string;
  readonly wrongParameters?: string;
  readonly flakyTool?: string;
  readonly flakyParameters?: string;
  readonly counterUrl?: string;
  readonly audience?: string;
  readonly tolerance?: string;
  readonly previousSecretEnv?: string;
  readonly previousSecretFile?: string;
  readonly requireSignedAnswers?: boolean;
  readonly allowHost?: string;
  readonly only?: string;
  readonly answerTimeout?: string;
  readonly slowBody?: string;
  readonly strict?: boolean;
  readonly verbose?: boolean;
  readonly junit?: string;
  readonly list?: boolean;
  readonly explain?: string;
}

/**
 * Parses the URL to test: http or https, on this machine or on a host that is confirmed with `--allow-host`.
 *
 * @throws YagateError `INVALID_REQUEST` for an invalid URL; `FORBIDDEN` for a host that is not confirmed.
 */
export function parseTarget(text: string, allowedHost: string | undefined, option = "the URL"): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw invalid(`${option}: expected an http or https URL`, "such as http://127.0.0.1:3000/tools");
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid(`${option}: expected a URL without a user name and password`, "they would end up in logs");
  }
  if (isLoopback(url.hostname) || url.hostname === allowedHost || url.host === allowedHost) return url;
  throw new YagateError("FORBIDDEN", `${option}: ${url.hostname} is not this machine`, {
    hint: `the cases forge, flood, delay and repeat requests, and really run the tool: if the host is yours and not in production, repeat its name with --allow-host ${url.hostname}`,
  });
}

/**
 * Checks, by its text alone, whether a host is this machine: a name that resolves to this machine today may resolve to
 * another one tomorrow.
 */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Checks the name of a tool.
 *
 * @throws YagateError `INVALID_REQUEST`.
 */
export function parseTool(text: string | undefined, option = "--tool"): string {
  if (text !== undefined && toolNameSchema.safeParse(text).success) return text;
  throw invalid(
    `${option}: expected the name of one of the handler's tools`,
    "one that is safe to run several dozen times, such as ping",
  );
}

/**
 * Parses arguments of a tool.
 *
 * @throws YagateError `INVALID_REQUEST`.
 */
export function parseParameters(text: string, option: string): JsonObject {
  try {
    return jsonObjectSchema.parse(JSON.parse(text));
  } catch {
    // No cause, because its message would quote the text.
    throw invalid(`${option}: expected a JSON object`, `such as '{ "orderId": "ORD-12345" }'`);
  }
}

/**
 * Reads the arguments of the tool from an option or a file.
 *
 * @throws YagateError `INVALID_REQUEST`.
 */
export async function readParameters({ parameters, parametersFile }: ConformanceOptions): Promise<JsonObject> {
  if (parametersFile === undefined) return parseParameters(parameters ?? "{}", "--parameters");
  if (parameters !== undefined)
    throw invalid("expected --parameters or --parameters-file, not both", "omit one of them");
  try {
    return parseParameters(await readFile(parametersFile, "utf8"), "--parameters-file");
  } catch (error) {
    if (YagateError.is(error)) throw error;
    throw invalid(`--parameters-file: ${parametersFile} can't be read`, "check the path");
  }
}

/** Converts an option from seconds to ms. Throws YagateError `INVALID_REQUEST` if it is not a positive number. */
export function parseSeconds(text: string | undefined, option: string, fallbackSeconds: number): number {
  if (text === undefined) return fallbackSeconds * 1_000;
  if (/^\d{1,5}(?:\.\d{1,3})?$/.test(text) && Number(text) > 0) return Number(text) * 1_000;
  throw invalid(`${option}: expected a number of seconds above 0`, `such as ${fallbackSeconds}`);
}

/** Parses the tolerance. Throws YagateError `INVALID_REQUEST` if it is invalid. */
export function parseToleranceSeconds(text: string | undefined): number {
  return parseSeconds(text, "--tolerance", DEFAULT_TOLERANCE_SECONDS) / 1_000;
}

export function invalid(message: string, hint: string): YagateError {
  return new YagateError("INVALID_REQUEST", message, { hint });
}
