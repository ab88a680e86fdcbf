import { GATEWAY_INTENTS, type IntentDefinition } from "@yagate/protocol";
import type { CapabilityEntry } from "@yagate/routing/capability-entry";
import { mergeCapabilities } from "@yagate/routing/merge-capabilities";
import type { Store } from "@yagate/store/port";
import { WorkspaceCache, type WorkspaceCacheOptions } from "../tools/integrations/workspace-cache.ts";

/** The intents and capabilities of one workspace: the gateway's own, and those of the workspace. */
export interface RoutingTable {
  readonly intents: ReadonlyMap<string, IntentDefinition>;
  /** Sorted by key. */
  readonly capabilities: readonly CapabilityEntry[];
}

/** Returns the table of a workspace. It may be up to a second old if several processes share the store. */
export type ReadRoutingTable = (workspaceId: string) => Promise<RoutingTable>;

/** The tables of all workspaces. */
export interface RoutingTables {
  readonly find: ReadRoutingTable;
  /** Removes the table of a workspace from the cache. Call it after every commit that changes the table. */
  readonly forget: (workspaceId: string) => void;
}

export function createRoutingTables(
  store: Pick<Store, "intents" | "capabilities">,
  age: Omit<WorkspaceCacheOptions<RoutingTable>, "load">,
): RoutingTables {
  async function load(workspaceId: string): Promise<RoutingTable> {
    const [intents, capabilities] = await Promise.all([
      store.intents.list(workspaceId),
      store.capabilities.list(workspaceId),
    ]);
    const own = intents.map(({ name, definition: { description, parameters } }) => ({ name, description, parameters }));
    return {
      intents: new Map([...own, ...GATEWAY_INTENTS].map((intent) => [intent.name, intent])),
      capabilities: mergeCapabilities(new Map(capabilities.map(({ name, definition }) => [name, definition]))),
    };
  }
  const tables = new WorkspaceCache({ ...age, load });
  return { find: (workspaceId) => tables.find(workspaceId), forget: (workspaceId) => tables.forget(workspaceId) };
}
