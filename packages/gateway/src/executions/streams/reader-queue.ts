/** The execution that a reader follows, and its workspace. */
export interface ReadSubject {
  readonly workspaceId: string;
  readonly executionId: string;
}

/**
 * A fair queue. It takes from the workspaces in turn, within a workspace from its executions in turn, and within an
 * execution in order of arrival.
 */
export class ReaderQueue<Item> {
  readonly #workspaces = new Map<string, Map<string, Set<Item>>>();

  /** @param item - must differ from all items that wait for the same execution. */
  add({ workspaceId, executionId }: ReadSubject, item: Item): void {
    const executions = this.#workspaces.get(workspaceId) ?? new Map<string, Set<Item>>();
    const items = executions.get(executionId) ?? new Set();
    this.#workspaces.set(workspaceId, executions.set(executionId, items.add(item)));
  }

  delete({ workspaceId, executionId }: ReadSubject, item: Item): void {
    const executions = this.#workspaces.get(workspaceId);
    const items = executions?.get(executionId);
    if (executions === undefined || !items?.delete(item) || items.size > 0) return;
    executions.delete(executionId);
    if (executions.size === 0) this.#workspaces.delete(workspaceId);
  }

  get isEmpty(): boolean {
    return this.#workspaces.size === 0;
  }

  take(): Item | undefined {
    for (const [workspaceId, executions] of this.#workspaces) {
      for (const [executionId, items] of executions) {
        for (const item of items) {
          this.delete({ workspaceId, executionId }, item);
          moveToEnd(executions, executionId, items);
          moveToEnd(this.#workspaces, workspaceId, executions);
          return item;
        }
      }
    }
    return undefined;
  }
}

function moveToEnd<Value extends { readonly size: number }>(map: Map<string, Value>, key: string, value: Value): void {
  if (value.size === 0) return;
  map.delete(key);
  map.set(key, value);
}
