/**
 * Records which members and items of one value have been evaluated, for `unevaluatedProperties` and `unevaluatedItems`.
 */
export class Evaluated {
  #names: Set<string> | undefined;
  #indexes: Set<number> | undefined;
  #hasAllNames = false;
  /** All items before this index have been evaluated. */
  #itemsBefore = 0;

  addName(name: string): void {
    this.#names ??= new Set();
    this.#names.add(name);
  }

  addAllNames(): void {
    this.#hasAllNames = true;
  }

  addIndex(index: number): void {
    this.#indexes ??= new Set();
    this.#indexes.add(index);
  }

  addItemsBefore(index: number): void {
    this.#itemsBefore = Math.max(this.#itemsBefore, index);
  }

  add(other: Evaluated): void {
    for (const name of other.#names ?? []) this.addName(name);
    for (const index of other.#indexes ?? []) this.addIndex(index);
    this.#hasAllNames ||= other.#hasAllNames;
    this.addItemsBefore(other.#itemsBefore);
  }

  get names(): readonly string[] {
    return [...(this.#names ?? [])];
  }

  hasName(name: string): boolean {
    return this.#hasAllNames || this.#names?.has(name) === true;
  }

  hasIndex(index: number): boolean {
    return index < this.#itemsBefore || this.#indexes?.has(index) === true;
  }
}

/** Records nothing. One instance serves all values of schemas that do not need the information. */
class Untracked extends Evaluated {
  override addName(): void {}
  override addAllNames(): void {}
  override addIndex(): void {}
  override addItemsBefore(): void {}
  override add(): void {}
}

export const UNTRACKED: Evaluated = new Untracked();
