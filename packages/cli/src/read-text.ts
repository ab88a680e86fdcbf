import { readFile } from "node:fs/promises";
import { type JsonObject, jsonObjectSchema, YagateError } from "@yagate/protocol";
import { readStandardInput } from "./signing-secrets/read-standard-input.ts";

/** The text of a file; `-` is standard input. @throws YagateError `INVALID_REQUEST` for a file that can't be read. */
export async function readText(file: string): Promise<string> {
  if (file === "-") return new TextDecoder().decode(Buffer.from(await readStandardInput()));
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new YagateError("INVALID_REQUEST", `expected a file that can be read: ${file}`, { cause });
  }
}

/** The JSON object in a file, or on standard input. @throws YagateError `INVALID_REQUEST`. */
export async function readJson(file: string): Promise<JsonObject> {
  return parseJsonObject(await readText(file), file === "-" ? "standard input" : file);
}

/** @param what - what the text is, for the message. @throws YagateError `INVALID_REQUEST`. */
export function parseJsonObject(text: string, what: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const object = jsonObjectSchema.safeParse(value);
  if (object.success) return object.data;
  throw new YagateError("INVALID_REQUEST", `expected ${what} to be a JSON object`);
}
