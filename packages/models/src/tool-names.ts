import { toolNameKey } from "@yagate/lib/text/tool-name-key";

const MAX_PROVIDER_NAME_LENGTH = 64;

/**
 * Converts a tool name for providers, which reject dots: `orders.get_by_id` becomes `orders_get_by_id`. Names that a
 * model invented are converted as well, because they are sent back in the conversation.
 */
export function toProviderToolName(name: string): string {
  const mapped = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_PROVIDER_NAME_LENGTH);
  return mapped === "" ? "_" : mapped;
}

/** Two tools of one agent that a provider or a model can't distinguish. */
export interface ToolNameCollision {
  /** Index of the later tool. */
  readonly index: number;
  readonly name: string;
  /** The earlier tool's name. */
  readonly other: string;
}

/** Finds tools whose converted names are equal, or differ only by case, which models confuse. */
export function findToolNameCollisions(names: readonly string[]): readonly ToolNameCollision[] {
  const seen = new Map<string, string>();
  return names.flatMap((name, index) => {
    const mapped = toolNameKey(name);
    const other = seen.get(mapped);
    if (other === undefined) seen.set(mapped, name);
    return other === undefined ? [] : [{ index, name, other }];
  });
}
