import { readFile } from "node:fs/promises";
import { type JsonObject, jsonObjectSchema, YagateError } from "@yagate/protocol";
import { readStandardInput } from "./signing-secrets/read-standard-input.ts";

/**
 * Reads a file, or standard input for `-`.
 *
 * @throws YagateError `INVALID_REQUEST` for a file that cannot be read.
 */
export async function readText(file: string): Promise<string> {
  if (file === "-") return new TextDecoder().decode(Buffer.from(await readStandardInput()));
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new YagateError("INVALID_REQUEST", `expected a readable file: ${file}`, { cause });
  }
}

/**
 * Reads a JSON object from a file or from standard input.
 *
 * @throws YagateError `INVALID_REQUEST` if it is not a JSON object.
 */
export async function readJson(file: string): Promise<JsonObject> {
  return parseJsonObject(await readText(file), file === "-" ? "standard input" : file);
}

/**
 * Reads the JSON object that is the value of an option, or standard input for `-`.
 *
 * @param option - the option, such as `--content`.
 * @param example - an object that the option accepts, for the hint.
 * @throws YagateError `INVALID_REQUEST` if it is not a JSON object.
 */
export async function readJsonArgument(text: string, option: string, example: string): Promise<JsonObject> {
  const object = toJsonObject(text === "-" ? await readText("-") : text);
  if (object !== undefined) return object;
  const hint = `in a shell, put it in quotes: ${option} '${example}'`;
  throw new YagateError("INVALID_REQUEST", `expected ${option} to be a JSON object`, { hint });
}

/**
 * Parses a JSON object.
 *
 * @param what - describes the text in messages.
 * @throws YagateError `INVALID_REQUEST` if the text is not a JSON object.
 */
export function parseJsonObject(text: string, what: string): JsonObject {
  const object = toJsonObject(text);
  if (object !== undefined) return object;
  throw new YagateError("INVALID_REQUEST", `expected ${what} to be a JSON object`);
}

function toJsonObject(text: string): JsonObject | undefined {
  try {
    return jsonObjectSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
