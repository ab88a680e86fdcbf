import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { toFieldErrors, YagateError } from "@yagate/protocol";
import type * as z from "zod";
import { readText } from "../../read-text.ts";
import { readDocumentSet } from "../../tools/read-document-set.ts";
import { configSchema } from "./config-schema.ts";
import { ConfigText } from "./config-text.ts";
import { matchesOf, suggestionOf } from "./entry-faults.ts";
import { ModuleFault, runModule } from "./run-module.ts";

/** A configuration with all defaults. */
export type DevConfig = z.output<typeof configSchema> & { readonly text: ConfigText };

/**
 * Reads a configuration. Each time, the file and what it imports are read again.
 *
 * @param path - the absolute path of the file.
 * @param signal - ends the reading when aborted.
 * @throws YagateError `INVALID_REQUEST` with the file, the line and every invalid field, except for those of agents and
 *   tool sources, which are checked when they are applied.
 */
export async function loadConfig(path: string, signal?: AbortSignal): Promise<DevConfig> {
  const place = relative(process.cwd(), path);
  const file = place.startsWith("..") ? path : place;
  const value = await run(path, file, signal);
  const text = new ConfigText(file, await readText(path));
  const parsed = configSchema.safeParse(await withDocuments(value, dirname(path)));
  if (!parsed.success) throw invalid(value, text, parsed.error);
  const { dataDir } = parsed.data;
  if (dataDir === undefined || isAbsolute(dataDir)) return { ...parsed.data, text };
  return { ...parsed.data, text, dataDir: join(dirname(path), dataDir) };
}

async function run(path: string, file: string, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return await runModule(path, signal);
  } catch (error) {
    if (!(error instanceof ModuleFault)) throw error;
    const place = error.line === undefined ? file : `${file}:${error.line}`;
    throw new YagateError("INVALID_REQUEST", `${place}: ${error.message}`, { cause: error });
  }
}

/** Replaces the file of an OpenAPI document with its contents. */
async function withDocuments(value: unknown, directory: string): Promise<unknown> {
  if (!isJsonObject(value) || !Array.isArray(value["sources"])) return value;
  const sources = value["sources"].map(async (source) => {
    if (!isJsonObject(source) || typeof source["file"] !== "string") return source;
    const { file, ...rest } = source;
    const { openapi: document, ...others } = await readDocumentSet(resolve(directory, String(file)));
    return { ...rest, document, ...others };
  });
  return { ...value, sources: await Promise.all(sources) };
}

function invalid(value: unknown, text: ConfigText, error: z.ZodError): YagateError {
  const lines = toFieldErrors(error).map((fault) => {
    const { path, message } = fault;
    const place = text.placeOf(matchesOf(fault, value));
    return `  ${place}  ${path}${path === "" ? "" : ": "}${message}${suggestionOf(fault, value)}`;
  });
  return new YagateError("INVALID_REQUEST", ["the configuration is not valid:", ...lines].join("\n"));
}
