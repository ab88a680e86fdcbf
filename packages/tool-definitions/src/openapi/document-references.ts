import { isJsonObject, isObject, type JsonObject } from "@yagate/lib/json/json-object";
import { parsePointer } from "@yagate/lib/json/json-pointer";
import { YagateError } from "@yagate/protocol";
import type { DocumentSet } from "./document-set.ts";
import { SkipOperation } from "./skip-operation.ts";

/** A value in a document with its path, after references were resolved. */
export interface Located {
  readonly value: JsonObject;
  /** JSON pointer to the value. In any document but the main one, the document's name and `#` precede the pointer. */
  readonly path: string;
}

const MAX_REFERENCES_IN_A_ROW = 20;
const MAX_SHOWN = 200;

/** Resolves references within the documents of an import. */
export class DocumentReferences {
  readonly #documents: DocumentSet;

  constructor(documents: DocumentSet) {
    this.#documents = documents;
  }

  /**
   * Resolves an object that may be a reference.
   * @returns the object itself if it is not a reference.
   * @throws SkipOperation for a value that is not an object, and for a reference without a target or in a cycle.
   */
  resolve(value: unknown, path: string): Located {
    let at: unknown = value;
    let place = path;
    for (let count = 0; count <= MAX_REFERENCES_IN_A_ROW; count++) {
      if (!isJsonObject(at)) throw new SkipOperation(place, "expected an object");
      const { $ref } = at;
      if (typeof $ref !== "string") return { value: at, path: place };
      const target = this.#find($ref, place);
      at = target.value;
      place = target.path;
    }
    throw new SkipOperation(path, "expected a reference without a cycle");
  }

  #find(reference: string, from: string): { readonly value: unknown; readonly path: string } {
    const [target = "", ...fragment] = reference.split("#");
    const name = this.#documents.nameOf(target, documentOf(from));
    const document = this.#document(name, from);
    const pointer = decode(fragment.join("#"));
    const keys = pointer === undefined ? undefined : parsePointer(pointer);
    if (pointer === undefined || keys === undefined)
      throw new SkipOperation(from, "expected a reference such as #/components/…");
    let at = document;
    for (const key of keys) {
      if (!isObject(at) || !Object.hasOwn(at, key)) {
        const shown = reference.slice(0, MAX_SHOWN);
        throw new SkipOperation(from, `expected ${shown} to exist in ${name === "" ? "the document" : quoted(name)}`);
      }
      at = Reflect.get(at, key);
    }
    return { value: at, path: name === "" ? pointer : `${name}#${pointer}` };
  }

  /** Returns a document. A missing or broken document affects only the operations that refer to it. */
  #document(name: string, from: string): unknown {
    try {
      const document = this.#documents.find(name);
      if (document !== undefined) return document;
    } catch (error) {
      if (!YagateError.is(error)) throw error;
      throw new SkipOperation(from, `${quoted(name)} can't be read: ${error.message}`);
    }
    throw new SkipOperation(from, `expected ${quoted(name)} in documents: include it, or bundle the document first`);
  }
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN));
}

/** Returns the name of the document in a path. */
function documentOf(path: string): string {
  return path === "" || path.startsWith("/") ? "" : path.slice(0, path.indexOf("#"));
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
