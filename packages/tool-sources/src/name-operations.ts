import { unusedName } from "@yagate/lib/text/unused-name";
import { MAX_TOOL_NAME_LENGTH } from "@yagate/protocol";

/** What identifies an operation in a document. */
export interface OperationIdentity {
  readonly operationId: string | null;
  /** Method and path, such as `GET /pets/{petId}`. */
  readonly operation: string;
}

/** An operation for which a name is sought. */
export interface UnnamedOperation extends OperationIdentity {
  /** The name that the operation gets if no earlier operation has it: at most 64 characters. */
  readonly proposedName: string;
}

/** Maximum number of operations whose names are remembered. */
const MAX_REMEMBERED = 8_000;

/**
 * Names the operations of a document so that they keep their names when the document changes. An operation is the same
 * as an earlier one if it has the same `operationId` or, failing that, the same method and path. An `operationId` that
 * a document contains several times identifies nothing.
 *
 * @param earlier - the operations of earlier documents by their names.
 * @returns the name of each operation, in the same order, and the operations to remember by their names.
 */
export function nameOperations(
  operations: readonly UnnamedOperation[],
  earlier: ReadonlyMap<string, OperationIdentity>,
): { readonly names: readonly string[]; readonly known: ReadonlyMap<string, OperationIdentity> } {
  const free = new Map(earlier);
  const names = new Map<UnnamedOperation, string>();
  const match = (keyOf: (operation: OperationIdentity) => string | null) => {
    const named = uniqueBy(free, ([, operation]) => keyOf(operation));
    const unnamed = uniqueBy(
      operations.filter((operation) => !names.has(operation)),
      keyOf,
    );
    for (const [key, operation] of unnamed) {
      const [name] = named.get(key) ?? [];
      if (name === undefined) continue;
      names.set(operation, name);
      free.delete(name);
    }
  };
  match(({ operationId }) => operationId);
  match(({ operation }) => operation);
  const taken = new Set([...names.values(), ...free.keys()]);
  for (const operation of operations) {
    if (names.has(operation)) continue;
    const name = unusedName(operation.proposedName, taken, MAX_TOOL_NAME_LENGTH);
    taken.add(name);
    names.set(operation, name);
  }
  const current = [...names].map(([{ operationId, operation }, name]) => [name, { operationId, operation }] as const);
  return {
    names: operations.map((operation) => names.get(operation) ?? operation.proposedName),
    known: new Map([...current, ...free].slice(0, MAX_REMEMBERED)),
  };
}

/** Returns the items by their keys, without those that share a key. */
function uniqueBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string | null): ReadonlyMap<string, Item> {
  const found = new Map<string, Item>();
  const shared = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    if (found.has(key)) shared.add(key);
    found.set(key, item);
  }
  for (const key of shared) found.delete(key);
  return found;
}
