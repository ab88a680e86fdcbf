import type { Output } from "./frame/output.ts";

/** How to print a list that may be long. */
export interface ListPrint<Item> {
  readonly limit: number;
  readonly describe: (items: readonly Item[]) => string;
  /** Printed if the list has more items than the limit. */
  readonly more: string;
}

/**
 * Prints a list as columns, or as one line of JSON per item. Returns the number of items, at most one more than the
 * limit.
 */
export async function printList<Item>(
  output: Output,
  items: AsyncIterable<Item>,
  { limit, describe, more }: ListPrint<Item>,
): Promise<number> {
  const shown: Item[] = [];
  let count = 0;
  for await (const item of items) {
    count += 1;
    if (count > limit) break;
    // Items are printed as they arrive, because all of them may not fit into memory.
    if (output.isJson) output.line(item, () => "");
    else shown.push(item);
  }
  if (!output.isJson) output.result(shown, () => describe(shown));
  if (count > limit) output.note(more);
  return count;
}
