import { posix } from "node:path";
import type { JsonObject } from "@yagate/lib/json/json-object";
import { cleanDocument } from "./clean-document.ts";
import type { OpenApiImportOptions, RemovedCharacters } from "./openapi-import.ts";
import { createReadingBudget, readDocument, readPart } from "./read-document.ts";

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;
/** Characters taken out of all documents together are reported for this many places. */
const MAX_PLACES = 200;

/**
 * The document of an import and those beside it that its references lead to. A further document is read when a
 * reference first leads to it. Nothing is ever fetched or read from a disk.
 */
export class DocumentSet {
  readonly main: JsonObject;
  readonly #removed: RemovedCharacters[] = [];
  readonly #name: string;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #read = new Map<string, { readonly document: JsonObject } | { readonly error: unknown }>();
  readonly #budget = createReadingBudget();

  /** @throws YagateError `INVALID_REQUEST` for a main document that can't be read. */
  constructor(text: string, { documents = {}, documentName = "" }: OpenApiImportOptions) {
    this.#name = normalName(documentName);
    this.#texts = new Map(Object.entries(documents).map(([name, other]) => [normalName(name), other]));
    const { document, removed } = cleanDocument(readDocument(text, this.#budget));
    this.main = document;
    this.#note(removed);
  }

  /** Where characters were taken out of what was read so far. */
  get removed(): readonly RemovedCharacters[] {
    return this.#removed;
  }

  /**
   * The name of the document that a reference leads to; empty for the main one.
   *
   * @param reference - without its fragment; empty for the document that it stands in.
   * @param from - name of the document that it stands in.
   */
  nameOf(reference: string, from: string): string {
    if (reference === "") return from;
    const name = resolveName(decode(reference), from === "" ? this.#name : from);
    return this.#name !== "" && name === this.#name ? "" : name;
  }

  /**
   * @param name - of {@link nameOf}.
   * @returns undefined for a document that was not given.
   * @throws YagateError `INVALID_REQUEST` for one that can't be read.
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

/** As a key of the set: `./a/../b.yaml` is `b.yaml`. A fragment's sign would make a place of it unreadable. */
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
