import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, posix, sep } from "node:path";
import { YagateError } from "@yagate/protocol";
import { readText } from "../read-text.ts";

/** An OpenAPI document as the gateway takes it. */
export interface DocumentTexts {
  readonly openapi: string;
  readonly documents?: Readonly<Record<string, string>>;
  readonly documentName?: string;
}

/** What `POST /v1/tools/import` takes, less some room for the rest of the request. */
const MAX_BYTES = 11 * 1_048_576;
const MAX_DOCUMENTS = 10_000;
/** In JSON and in YAML, quoted or not; what is no reference only costs a look for a file of that name. */
const REFERENCE = /\$ref["']?\s*:\s*(?:"([^"\n]{1,500})"|'([^'\n]{1,500})'|([^\s"',}\]]{1,500}))/g;
const URL_START = /^(?:[a-z][a-z0-9+.-]*:|\/)/i;

/**
 * Reads a document and the files that its references lead to. Only files in the document's own directory and below are
 * read, and none whose path has a name that begins with a dot: the document may come from someone else. The gateway names what is missing.
 *
 * @param file - `-` is standard input, which is read alone.
 * @throws YagateError `INVALID_REQUEST` for a file that can't be read, and for too much in all.
 */
export async function readDocumentSet(file: string): Promise<DocumentTexts> {
  const openapi = await readText(file);
  if (file === "-") return { openapi };
  const documentName = basename(file);
  const directory = await realpath(dirname(file));
  const documents = new Map<string, string>();
  const seen = new Set([documentName]);
  const pending = [{ name: documentName, text: openapi }];
  let bytes = Buffer.byteLength(openapi);
  for (let document = pending.pop(); document !== undefined; document = pending.pop()) {
    for (const name of referencedFiles(document.text, document.name)) {
      if (seen.has(name)) continue;
      seen.add(name);
      const text = await readBelow(directory, name);
      if (text === undefined) continue;
      bytes += Buffer.byteLength(text);
      if (bytes > MAX_BYTES || documents.size === MAX_DOCUMENTS) throw tooMuch(file);
      documents.set(name, text);
      pending.push({ name, text });
    }
  }
  return documents.size === 0 ? { openapi } : { openapi, documents: Object.fromEntries(documents), documentName };
}

/** Names as seen from the first document. */
function referencedFiles(text: string, from: string): readonly string[] {
  const names = Array.from(text.matchAll(REFERENCE), ([, double, single, plain]) => double ?? single ?? plain ?? "")
    .map((reference) => decoded(reference.replace(/#.*$/, "").replaceAll("\\/", "/")))
    .filter((reference) => reference !== "" && !URL_START.test(reference));
  return [...new Set(names.map((name) => posix.join(posix.dirname(from), name)))];
}

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** Undefined for a file that does not exist, can't be read, is hidden or lies elsewhere, links followed. */
async function readBelow(directory: string, name: string): Promise<string | undefined> {
  // Also `..`: above the directory. Others hold settings and keys, such as .env, which are no part of any document.
  if (name.includes("\0") || name.split("/").some((part) => part.startsWith("."))) return undefined;
  try {
    const path = await realpath(join(directory, name));
    return path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
      ? await readFile(path, "utf8")
      : undefined;
  } catch {
    return undefined;
  }
}

function tooMuch(file: string): YagateError {
  const message = `${file} refers to more than ${MAX_DOCUMENTS} documents or ${MAX_BYTES} bytes: bundle it first`;
  return new YagateError("INVALID_REQUEST", message);
}
