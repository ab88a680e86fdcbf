/** A violation of a schema by a value. */
export interface SchemaViolation {
  /** JSON pointer into the value; empty for the value itself. */
  readonly path: string;
  /**
   * The violated keyword: `#` and a JSON pointer into the schema, prefixed with the document's URI if the keyword is in
   * another document.
   */
  readonly schemaPath: string;
  readonly keyword: string;
  /** What was expected, phrased so that it can follow the location. */
  readonly message: string;
  /** Set if the property at the path is missing: its name, and the property that requires it, if any. */
  readonly missing?: { readonly name: string; readonly because?: string };
}

/** A warning for the author of a schema. */
export interface SchemaWarning {
  readonly code: string;
  readonly message: string;
  /** The location in the schema; absent if the warning concerns the schema in general. */
  readonly path?: string;
}

/** Collects violations: keeps the first ones and only counts the others. */
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

  /** Whether the list is full. Further violations are only counted, so no messages have to be built for them. */
  get isFull(): boolean {
    return this.kept.length >= this.#limit;
  }

  add(violation: () => SchemaViolation): void {
    this.#count += 1;
    if (!this.isFull) this.kept.push(violation());
  }

  /** Adds the violations of another list. */
  addAll(other: ViolationList): void {
    for (const violation of other.kept) this.add(() => violation);
    this.#count += other.count - other.kept.length;
  }
}
