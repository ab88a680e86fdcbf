import { posix } from "node:path";
import type { JsonObject } from "@yagate/lib/json/json-object";
import { cleanDocument } from "./clean-document.ts";
import type { OpenApiImportOptions, RemovedCharacters } from "./openapi-import.ts";
import { createReadingBudget, readDocument, readPart } from "./read-document.ts";

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;
/** Maximum number of reported places with removed characters, over all documents. */
const MAX_PLACES = 200;

/**
 * The main document of an import and the further documents that it refers to. A further document is parsed when a
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

  /** The places with removed characters in the documents that were read so far. */
  get removed(): readonly RemovedCharacters[] {
    return this.#removed;
  }

  /**
   * The name of the document that a reference points to; empty for the main one.
   *
   * @param reference - without its fragment; empty for its own document.
   * @param from - name of the document with the reference.
   */
  nameOf(reference: string, from: string): string {
    if (reference === "") return from;
    const name = resolveName(decode(reference), from === "" ? this.#name : from);
    return this.#name !== "" && name === this.#name ? "" : name;
  }

  /**
   * @param name - from {@link nameOf}.
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

/** The key of a document: `./a/../b.yaml` is `b.yaml`. An encoded `#` keeps it apart from the fragment of a path. */
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
