import { unsentFailure } from "@yagate/calls/failure";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import type { PinnedSourceTool } from "@yagate/protocol";
import type { DefinitionStanding, ToolSourceStore, ToolVersionKey } from "@yagate/store/port";
import { LRUCache } from "lru-cache";

/**
 * Time in ms for which a version of a workspace tool is assumed not to follow a source. Another process may have
 * adopted the tool in the meantime.
 */
const UNRULED_MS = 1_000;
const MAX_UNRULED = 10_000;

/** Decides whether tools that depend on an accepted definition may still run. */
export interface WithdrawalCheck {
  /** Returns why a tool of a source may no longer run; undefined if it may. */
  refusalOf(tool: PinnedSourceTool): Promise<Failure | undefined>;
  /** Returns why a version of a workspace tool may no longer run; undefined if it may, or never followed a source. */
  refusalOfVersion(version: ToolVersionKey): Promise<Failure | undefined>;
  /** Called after this process has adopted tools. */
  onAdopted(): void;
}

export function createWithdrawalCheck(
  store: Pick<ToolSourceStore, "standingOf" | "standingOfVersion">,
): WithdrawalCheck {
  // Few tools ever follow a source, so most calls ask the database nothing.
  const unruled = new LRUCache<string, true>({ max: MAX_UNRULED, ttl: UNRULED_MS });
  return {
    refusalOf: async (tool) => refusalFor(await store.standingOf(tool)),
    async refusalOfVersion({ tool, version }) {
      const key = `${tool}:${version}`;
      if (unruled.has(key)) return undefined;
      const standing = await store.standingOfVersion({ tool, version });
      if (standing !== undefined) return refusalFor(standing);
      unruled.set(key, true);
      return undefined;
    },
    onAdopted: () => unruled.clear(),
  };
}

function refusalFor(standing: DefinitionStanding): Failure | undefined {
  switch (standing) {
    case "current":
      return undefined;
    case "removed":
      return unsentFailure("TOOL_REMOVED", "the source of the tool no longer offers it");
    case "withdrawn":
      return unsentFailure("TOOL_HELD", "the definition of the tool is no longer accepted");
  }
}
