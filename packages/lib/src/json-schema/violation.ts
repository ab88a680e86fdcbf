/** One thing that is wrong with a value. */
export interface SchemaViolation {
  /** JSON pointer into the value; empty for the value itself. */
  readonly path: string;
  /** The keyword that is not satisfied: `#` and a JSON pointer into the schema, after a document's address if it is another. */
  readonly schemaPath: string;
  readonly keyword: string;
  /** What was expected there, in words that follow the name of the place. */
  readonly message: string;
  /** Set where a property is missing at the path: its name, and of the property that asks for it, if one does. */
  readonly missing?: { readonly name: string; readonly because?: string };
}

/** Something that is no error, and that the author of a schema should know. */
export interface SchemaWarning {
  readonly code: string;
  readonly message: string;
  /** The place in the schema, where there is one. */
  readonly path?: string;
}

/** Takes what is wrong; keeps the first ones and counts the rest. */
export class ViolationList {
  readonly kept: SchemaViolation[] = [];
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** Further ones are only counted: nobody has to word them. */
  get isFull(): boolean {
    return this.kept.length >= this.#limit;
  }

  add(violation: () => SchemaViolation): void {
    this.#count += 1;
    if (!this.isFull) this.kept.push(violation());
  }

  /** Takes over what another list holds. */
  addAll(other: ViolationList): void {
    for (const violation of other.kept) this.add(() => violation);
    this.#count += other.count - other.kept.length;
  }
}
