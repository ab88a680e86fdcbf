/**
 * Does the same with each item, a few at a time, in their order. After the first failure nothing more is begun, and what
 * is under way is awaited.
 *
 * @throws what the first work that failed did.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  let next = 0;
  async function lane(): Promise<void> {
    while (next < items.length && failures.length === 0) {
      const index = next;
      next += 1;
      const item = items[index];
      if (item === undefined) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failures.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
