/** Values by label, each created when its label is first used. The number of labels must be bounded. */
export class ByLabel<Value> {
  readonly #values = new Map<string, Value>();
  readonly #create: (label: string) => Value;

  constructor(create: (label: string) => Value) {
    this.#create = create;
  }

  of(label: string): Value {
    const known = this.#values.get(label);
    if (known !== undefined) return known;
    const created = this.#create(label);
    this.#values.set(label, created);
    return created;
  }
}
