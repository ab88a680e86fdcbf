/** Which members and items of one value were looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly names = new Set<string>();
  readonly indexes = new Set<number>();
  hasAllNames = false;
  /** All items before this index were. */
  itemsBefore = 0;

  hasName(name: string): boolean {
    return this.hasAllNames || this.names.has(name);
  }

  hasIndex(index: number): boolean {
    return index < this.itemsBefore || this.indexes.has(index);
  }

  add(other: Evaluated): void {
    for (const name of other.names) this.names.add(name);
    for (const index of other.indexes) this.indexes.add(index);
    this.hasAllNames ||= other.hasAllNames;
    this.itemsBefore = Math.max(this.itemsBefore, other.itemsBefore);
  }
}
