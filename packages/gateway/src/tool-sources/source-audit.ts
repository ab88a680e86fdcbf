import type { AuditRow, AuditSubject, ChangeRecorder, ToolSourceRow } from "@yagate/store/port";
import { shownDefinition } from "@yagate/tool-sources/changes";
import type { KnownTool, ToolDefinitionVersion } from "@yagate/tool-sources/port";

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
interface ToolAcceptance {
  readonly source: Pick<ToolSourceRow, "id" | "name">;
  readonly tool: string;
  readonly accepted: ToolDefinitionVersion | null;
}

/** How the acceptance of a tool appears in the audit log: with the complete definition. */
const ACCEPTANCE_SUBJECT: AuditSubject<ToolAcceptance> = {
  type: "tool_source",
  idOf: ({ source }) => source.id,
  nameOf: ({ source, tool }) => `${source.name}.${tool}`,
  show: ({ tool, accepted }) => ({
    tool,
    hash: accepted?.hash ?? null,
    definition: shownDefinition(accepted),
  }),
};

/** A workspace tool that follows a tool of a source. */
interface ToolAdoption {
  readonly source: Pick<ToolSourceRow, "id" | "name">;
  readonly tool: string;
  readonly toolId: string;
}

/** How the adoption of a workspace tool appears in the audit log. */
const ADOPTION_SUBJECT: AuditSubject<ToolAdoption> = {
  type: "tool_source",
  idOf: ({ source }) => source.id,
  nameOf: ({ source, tool }) => `${source.name}.${tool}`,
  show: ({ tool, toolId }) => ({ tool, toolId }),
};

/** Creates the audit log entries for the workspace tools that follow tools of a source from now on. */
export function adoptionEntries(
  source: ToolSourceRow,
  adopted: readonly { readonly toolId: string; readonly name: string }[],
  recorder: ChangeRecorder,
): readonly (AuditRow | undefined)[] {
  const entry = recorder.of(source.workspaceId, "tool_source.adopted", ADOPTION_SUBJECT);
  return adopted.map(({ toolId, name: tool }) => entry(null, { source, tool, toolId }));
}

/** Creates the audit log entries for the tools whose accepted definition changes. */
export function acceptanceEntries(
  source: ToolSourceRow,
  known: readonly KnownTool[],
  changes: readonly KnownTool[],
  recorder: ChangeRecorder,
): readonly (AuditRow | undefined)[] {
  const before = new Map(known.map((tool) => [tool.name, tool.accepted]));
  return changes.map(({ name, accepted }) => {
    const earlier = before.get(name) ?? null;
    if (earlier?.hash === accepted?.hash) return undefined;
    const action = accepted === null ? "tool_source.revoked" : "tool_source.accepted";
    const entry = recorder.of(source.workspaceId, action, ACCEPTANCE_SUBJECT);
    const of = (version: KnownTool["accepted"]) => ({ source, tool: name, accepted: version });
    return entry(of(earlier), of(accepted));
  });
}
