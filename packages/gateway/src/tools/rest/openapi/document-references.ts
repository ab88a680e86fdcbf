import { isJsonObject, type JsonObject } from "../../arguments/json-object.ts";
import { parsePointer } from "../../arguments/json-pointer.ts";
import { SkipOperation } from "./skip-operation.ts";

/** A value of the document and where it stands, after the references that led to it. */
export interface Located {
  readonly value: JsonObject;
  /** JSON pointer. */
  readonly path: string;
}

const MAX_REFERENCES_IN_A_ROW = 20;

/** Follows references inside of one document. Nothing is ever fetched or read from a disk. */
export class DocumentReferences {
  readonly #document: JsonObject;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /**
   * @returns the object itself when it is no reference.
   * @throws SkipOperation for what is no object, and for a reference to elsewhere, to nothing or in a circle.
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
    throw new SkipOperation(path, "expected references that end: this one leads in a circle");
  }

  #find(reference: string, from: string): { readonly value: unknown; readonly path: string } {
    if (!reference.startsWith("#")) {
      throw new SkipOperation(from, "expected references inside of the document only: bundle it first");
    }
    const pointer = decode(reference.slice(1));
    const keys = pointer === undefined ? undefined : parsePointer(pointer);
    if (pointer === undefined || keys === undefined)
      throw new SkipOperation(from, "expected a reference such as #/components/…");
    let at: unknown = this.#document;
    for (const key of keys) {
      if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) {
        throw new SkipOperation(from, `expected ${reference.slice(0, 200)} to exist in the document`);
      }
      at = Reflect.get(at, key);
    }
    return { value: at, path: pointer };
  }
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
