import { posix } from "node:path";
import type { JsonObject } from "@yagate/lib/json/json-object";
import { cleanDocument, MAX_PLACES } from "./clean-document.ts";
import type { OpenApiImportOptions, RemovedCharacters } from "./openapi-import.ts";
import { createReadingBudget, readDocument, readPart } from "./read-document.ts";

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;

/**
 * The main document of an import and the further documents to which it refers. A further document is parsed when a
 * reference first points to it. Documents are never fetched or read from disk.
 */
export class DocumentSet {
  readonly main: JsonObject;
  readonly #removed: RemovedCharacters[] = [];
  readonly #name: string;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #read = new Map<string, { readonly document: JsonObject } | { readonly error: unknown }>();
  readonly #budget = createReadingBudget();

  /** @throws YagateError `INVALID_REQUEST` for an unreadable main document. */
  constructor(text: string, { documents = {}, documentName = "" }: OpenApiImportOptions) {
    this.#name = normalName(documentName);
    this.#texts = new Map(Object.entries(documents).map(([name, other]) => [normalName(name), other]));
    const { document, removed } = cleanDocument(readDocument(text, this.#budget));
    this.main = document;
    this.#note(removed);
  }

  /** The paths at which characters were removed, in the documents that have been read so far. */
  get removed(): readonly RemovedCharacters[] {
    return this.#removed;
  }

  /**
   * Returns the name of the document to which a reference points; empty for the main one.
   *
   * @param reference - without its fragment; empty for a reference within its document.
   * @param from - the name of the document that contains the reference.
   */
  nameOf(reference: string, from: string): string {
    if (reference === "") return from;
    const name = resolveName(decode(reference), from === "" ? this.#name : from);
    return this.#name !== "" && name === this.#name ? "" : name;
  }

  /**
   * Returns a document.
   * @param name - a name from {@link nameOf}.
   * @returns undefined for a missing document.
   * @throws YagateError `INVALID_REQUEST` for an unreadable document.
   */
  find(name: string): unknown {
    if (name === "") return this.main;
    const text = this.#texts.get(name);
    if (text === undefined) return undefined;
    const known = this.#read.get(name) ?? this.#readPart(name, text);
    if ("error" in known) throw known.error;
    return known.document;
  }

  #readPart(name: string, text: string) {
    try {
      const { document, removed } = cleanDocument(readPart(text, this.#budget));
      this.#read.set(name, { document });
      this.#note(removed.map((one) => ({ ...one, path: `${name}#${one.path}` })));
      return { document };
    } catch (error) {
      this.#read.set(name, { error });
      throw error;
    }
  }

  #note(removed: readonly RemovedCharacters[]): void {
    this.#removed.push(...removed.slice(0, MAX_PLACES - this.#removed.length));
  }
}

/**
 * Returns the key of a document: `./a/../b.yaml` becomes `b.yaml`. Each `#` is encoded, so that it is not mistaken for the
 * fragment of a path.
 */
function normalName(name: string): string {
  if (name === "") return "";
  const normal = ABSOLUTE.test(name) ? (URL.parse(name)?.href ?? name) : posix.normalize(name).replace(/^\/+/, "");
  return normal.replaceAll("#", "%23");
}

function resolveName(reference: string, base: string): string {
  if (ABSOLUTE.test(reference)) return normalName(reference);
  if (ABSOLUTE.test(base)) return normalName(URL.parse(reference, base)?.href ?? reference);
  return normalName(reference.startsWith("/") ? reference : posix.join(posix.dirname(base), reference));
}

function decode(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
