import type { ToolSource, ToolSourceSettings } from "@yagate/protocol";
import type { AuditSubject, SourceToolRow, ToolCounts, ToolSourceRow } from "@yagate/store/port";
import { shownDefinition } from "@yagate/tool-sources/changes";
import { declaredOptions } from "@yagate/tool-sources/declared-options";
import type { JudgedTool } from "@yagate/tool-sources/offered-tools";
import type { KnownTool, ToolDefinitionVersion } from "@yagate/tool-sources/port";

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

/** Returns the tools of a source as the API shows them. */
export function toSourceTools(tools: readonly JudgedTool[]): NonNullable<ToolSource["tools"]> {
  return tools.map(({ tool: { name, published, accepted }, toolName, state, offered }) => {
    const { definition } = (offered ?? published ?? accepted)?.compiled ?? {};
    const { sideEffect = null, risk = null } = definition === undefined ? {} : declaredOptions(definition);
    return {
      ...{ name, toolName, state, isOffered: offered !== null },
      hash: published?.hash ?? null,
      acceptedHash: accepted?.hash ?? null,
      ...{ sideEffect, risk },
    };
  });
}

/** Returns the tools of a source with parsed definitions. */
export function toKnownTools(rows: readonly SourceToolRow[]): readonly KnownTool[] {
  return rows.map(({ name, published, accepted }) => ({
    name,
    published: toVersion(published),
    accepted: toVersion(accepted),
  }));
}

/** Returns a stored definition, parsed. */
export function toVersion(definition: SourceToolRow["published"]): ToolDefinitionVersion | null {
  if (definition === null) return null;
  // The gateway wrote the content itself, with `toStored`.
  const content: Pick<ToolDefinitionVersion, "raw" | "compiled"> = JSON.parse(definition.content);
  return { hash: definition.hash, ...content };
}

/** Returns a tool in its stored form. */
export function toStored({ name, published, accepted }: KnownTool): SourceToolRow {
  return { name, published: storedVersion(published), accepted: storedVersion(accepted) };
}

function storedVersion(version: ToolDefinitionVersion | null): SourceToolRow["published"] {
  if (version === null) return null;
  const { hash, raw, compiled } = version;
  return { hash, content: JSON.stringify({ raw, compiled }) };
}

/** How a source appears in the audit log. Its tools have separate entries. */
export const TOOL_SOURCE_SUBJECT: AuditSubject<ToolSourceRow> = {
  type: "tool_source",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show: ({ id, name, settings, status, reason, generation, statusAt, createdAt, updatedAt }) => ({
    ...{ id, name, ...settings, status, reason, generation },
    statusAt: new Date(statusAt).toISOString(),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }),
};

/** The acceptance of one tool of a source. */
export interface ToolAcceptance {
  readonly source: Pick<ToolSourceRow, "id" | "name">;
  readonly tool: string;
  readonly accepted: ToolDefinitionVersion | null;
}

/** How the acceptance of a tool appears in the audit log: with the complete definition. */
export const ACCEPTANCE_SUBJECT: AuditSubject<ToolAcceptance> = {
  type: "tool_source",
  idOf: ({ source }) => source.id,
  nameOf: ({ source, tool }) => `${source.name}.${tool}`,
  show: ({ tool, accepted }) => ({
    tool,
    hash: accepted?.hash ?? null,
    definition: shownDefinition(accepted),
  }),
};
