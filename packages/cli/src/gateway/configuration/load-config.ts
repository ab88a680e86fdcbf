import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { meantInstead } from "@yagate/lib/json-schema/closest-word";
import {
  createAgentSchema,
  createToolSourceSchema,
  type FieldError,
  toFieldErrors,
  YagateError,
} from "@yagate/protocol";
import * as z from "zod";
import { readText } from "../../read-text.ts";
import { readDocumentSet } from "../../tools/read-document-set.ts";
import { ModuleFault, runModule } from "./run-module.ts";

const named = <Item extends { readonly name: string }>(items: readonly Item[]) =>
  new Set(items.map(({ name }) => name)).size === items.length;
const UNIQUE = "expected a different name for each entry";

const configSchema = z.strictObject({
  port: z.int().min(0).max(65_535).optional(),
  dataDir: z.string().min(1).optional(),
  demo: z.boolean().optional(),
  sources: z.array(createToolSourceSchema).refine(named, UNIQUE).default([]),
  agents: z.array(createAgentSchema).refine(named, UNIQUE).default([]),
});

/** A configuration with all defaults. */
export type DevConfig = z.output<typeof configSchema>;

/**
 * Reads a configuration. Each time, the file and what it imports are read again.
 *
 * @param path - the absolute path of the file.
 * @param signal - ends the reading when aborted.
 * @throws YagateError `INVALID_REQUEST` with the file, the line and every invalid field.
 */
export async function loadConfig(path: string, signal?: AbortSignal): Promise<DevConfig> {
  const place = relative(process.cwd(), path);
  const file = place.startsWith("..") ? path : place;
  const value = await run(path, file, signal);
  const parsed = configSchema.safeParse(await withDocuments(value, dirname(path)));
  if (!parsed.success) throw invalid(file, await readText(path), toFieldErrors(parsed.error));
  const { dataDir } = parsed.data;
  if (dataDir === undefined || isAbsolute(dataDir)) return parsed.data;
  return { ...parsed.data, dataDir: join(dirname(path), dataDir) };
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

function invalid(file: string, text: string, errors: readonly FieldError[]): YagateError {
  const known = knownFields();
  const lines = errors.map(({ path, code, message }) => {
    const [field = ""] = /[^.[\]]*$/.exec(path) ?? [];
    const line = lineOf(text, field);
    const meant = code === "UNRECOGNIZED_KEYS" ? meantInstead(field, known) : "";
    return `  ${file}${line === undefined ? "" : `:${line}`}  ${path}${path === "" ? "" : ": "}${message}${meant}`;
  });
  return new YagateError("INVALID_REQUEST", ["the configuration is not valid:", ...lines].join("\n"));
}

/** Returns the line of a field; undefined unless exactly one line of the file sets a field of this name. */
function lineOf(text: string, field: string): number | undefined {
  if (!/^\w+$/.test(field)) return undefined;
  const isSet = new RegExp(`(?:^|[{,\\s])["']?${field}["']?\\s*[:,]`);
  const lines = text.split("\n").flatMap((line, index) => (isSet.test(line) ? [index + 1] : []));
  return lines.length === 1 ? lines[0] : undefined;
}

/** Collects the names of all fields of the configuration, at any depth. */
function knownFields(): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (schema: unknown): void => {
    if (Array.isArray(schema)) for (const item of schema) collect(item);
    else if (isJsonObject(schema)) {
      const { properties } = schema;
      if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
      for (const member of Object.values(schema)) collect(member);
    }
  };
  collect(z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" }));
  return names.add("file");
}
