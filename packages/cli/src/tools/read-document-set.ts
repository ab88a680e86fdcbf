import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, posix, sep } from "node:path";
import { YagateError } from "@yagate/protocol";
import { readText } from "../read-text.ts";

/** An OpenAPI document as the gateway accepts it. */
export interface DocumentTexts {
  readonly openapi: string;
  readonly documents?: Readonly<Record<string, string>>;
  readonly documentName?: string;
}

/** The limit of `POST /v1/tools/import`, minus space for the rest of the request. */
const MAX_BYTES = 11 * 1_048_576;
const MAX_DOCUMENTS = 10_000;
/** Matches references in JSON and YAML, quoted or not. A false match only causes a check for a file of that name. */
const REFERENCE = /\$ref["']?\s*:\s*(?:"([^"\n]{1,500})"|'([^'\n]{1,500})'|([^\s"',}\]]{1,500}))/g;
const URL_START = /^(?:[a-z][a-z0-9+.-]*:|\/)/i;

/**
 * Reads a document and the files that it refers to. Reads only files in the document's directory and its
 * subdirectories, and none whose path contains a component that starts with a dot, because the document may come from a
 * third party. The gateway reports missing files.
 *
 * @param file - the path of the document; `-` reads only standard input.
 * @throws YagateError `INVALID_REQUEST` for a file that cannot be read, or if the files are too large in total.
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

/** Returns the files that a document refers to, as paths relative to the first document. */
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

/**
 * Reads a file in the directory. Undefined if the file does not exist, cannot be read or is hidden, or if a link leads
 * out of the directory.
 */
async function readBelow(directory: string, name: string): Promise<string | undefined> {
  // Excludes `..`, which is outside the directory, and files such as .env, which contain settings and keys.
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
