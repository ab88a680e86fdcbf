import type { ToolSourceChange } from "@yagate/store/port";
import type { KnownTool } from "@yagate/tool-sources/port";

/**
 * Returns the new definitions of the workspace tools that follow tools whose accepted definition changes. A tool that is
 * no longer accepted leaves its workspace tool as it is.
 *
 * @param known - the tools before the change.
 * @param changes - the new states of the tools that change.
 */
export function adoptedDefinitions(
  adopted: readonly { readonly toolId: string; readonly name: string }[],
  known: readonly KnownTool[],
  changes: readonly KnownTool[],
): NonNullable<ToolSourceChange["adoptedDefinitions"]> {
  const before = new Map(known.map(({ name, accepted }) => [name, accepted?.hash]));
  const after = new Map(changes.map(({ name, accepted }) => [name, accepted]));
  return adopted.flatMap(({ toolId, name }) => {
    const accepted = after.get(name) ?? null;
    if (accepted === null || accepted.hash === before.get(name)) return [];
    const { definition } = accepted.compiled;
    return "rest" in definition ? [{ toolId, definition }] : [];
  });
}
