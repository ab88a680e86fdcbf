const MAX_PROVIDER_NAME_LENGTH = 64;

/**
 * The name under which a provider gets a tool: providers refuse dots, so `orders.get_by_id` becomes
 * `orders_get_by_id`. Names that a model invented are made acceptable too, since a conversation repeats them.
 */
export function toProviderToolName(name: string): string {
  const mapped = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_PROVIDER_NAME_LENGTH);
  return mapped === "" ? "_" : mapped;
}

/** Two tools of one agent that a provider or a model could not tell apart. */
export interface ToolNameCollision {
  /** Place of the later tool in the list. */
  readonly index: number;
  readonly name: string;
  /** The earlier tool's name. */
  readonly other: string;
}

/**
 * Finds tools that are equal once their names are mapped for providers, or that differ by case alone, which models
 * confuse.
 */
export function findToolNameCollisions(names: readonly string[]): readonly ToolNameCollision[] {
  const seen = new Map<string, string>();
  return names.flatMap((name, index) => {
    const mapped = toProviderToolName(name).toLowerCase();
    const other = seen.get(mapped);
    if (other === undefined) seen.set(mapped, name);
    return other === undefined ? [] : [{ index, name, other }];
  });
}
