import { defined } from "@yagate/lib/objects/defined";
import type { SourceToolDetail, ToolSource, ToolSourceSettings } from "@yagate/protocol";
import type { ToolCounts, ToolSourceRow } from "@yagate/store/port";
import { hintsOf, shownDefinition } from "@yagate/tool-sources/changes";
import { declaredOptions } from "@yagate/tool-sources/declared-options";
import type { JudgedTool } from "@yagate/tool-sources/offered-tools";

/** Returns a source as the API shows it, without its tools. */
export function toToolSource(row: ToolSourceRow, counts: ToolCounts): ToolSource {
  const { id, name, settings, status, statusAt, reason, generation, syncedAt, nextSyncAt } = row;
  return {
    ...{ id, name, ...shownSettings(settings), status },
    statusAt: new Date(statusAt).toISOString(),
    reason,
    syncedAt: syncedAt === null ? null : new Date(syncedAt).toISOString(),
    nextSyncAt: nextSyncAt === null ? null : new Date(nextSyncAt).toISOString(),
    generation,
    ...(settings.kind !== "handler" ? { skippedTools: [...row.skippedTools] } : {}),
    toolCounts: {
      published: counts.published,
      accepted: counts.accepted,
      held: counts.published - counts.accepted,
      removed: counts.removed,
    },
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

/** Returns settings as the API shows them. */
function shownSettings(settings: ToolSourceSettings) {
  if (settings.kind !== "openapi") return settings;
  const { documentHash: _hash, ...shown } = settings;
  return shown;
}

/** Returns one tool of a source as the API shows it, with its definitions. */
export function toSourceToolDetail(
  judged: JudgedTool,
  adopted: readonly { readonly toolId: string; readonly name: string }[],
): SourceToolDetail | undefined {
  const [shown] = toSourceTools([judged], adopted);
  const { tool, conflict } = judged;
  return (
    shown && {
      ...shown,
      definition: shownDefinition(tool.published),
      acceptedDefinition: shownDefinition(tool.accepted),
      ...hintsOf(tool.published),
      conflict,
    }
  );
}

/** Returns the tools of a source as the API shows them. */
export function toSourceTools(
  tools: readonly JudgedTool[],
  adopted: readonly { readonly toolId: string; readonly name: string }[],
): NonNullable<ToolSource["tools"]> {
  const toolIds = new Map(adopted.map(({ toolId, name }) => [name, toolId]));
  return tools.map(({ tool: { name, published, accepted }, toolName, state, offered }) => {
    const { definition } = (offered ?? published ?? accepted)?.compiled ?? {};
    const { sideEffect = null, risk = null } = definition === undefined ? {} : declaredOptions(definition);
    return {
      ...{ name, toolName, state, isOffered: offered !== null },
      hash: published?.hash ?? null,
      acceptedHash: accepted?.hash ?? null,
      ...{ sideEffect, risk, ...defined({ toolId: toolIds.get(name) }) },
    };
  });
}
