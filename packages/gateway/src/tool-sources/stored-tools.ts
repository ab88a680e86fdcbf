import type { SourceToolRow } from "@yagate/store/port";
import type { KnownTool, ToolDefinitionVersion } from "@yagate/tool-sources/port";

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
