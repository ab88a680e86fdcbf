import { canonicalJson, type RestToolDefinition, type StoredWorkspaceTool } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { UnitOfWork } from "../unit-of-work.ts";
import type { Audit } from "./audit.ts";
import { ruleVersions } from "./ruled-versions.ts";
import { findTool, replaceVersion } from "./tools.ts";

/** The definition that a person accepted for a tool of a source, for the workspace tool that follows it. */
export interface AdoptedDefinition {
  readonly toolId: string;
  readonly definition: RestToolDefinition;
}

/**
 * Adds the next version of a workspace tool that follows a tool of a source, unless the tool has this definition already,
 * or is archived. The tool keeps its name. The accepted definition rules that version.
 */
export function* writeAdoptedVersion(
  workspaceId: string,
  { toolId, definition }: AdoptedDefinition,
  at: EpochMs,
  audit?: Audit<StoredWorkspaceTool>,
): UnitOfWork<void> {
  const found = yield* findTool(workspaceId, toolId);
  if (found === undefined || found.archivedAt !== null) return;
  const { tool } = found;
  const own = { rest: { ...definition.rest, name: tool.name } };
  const isSame = canonicalJson(own) === canonicalJson(tool.definition);
  const version = isSame ? tool.version : tool.version + 1;
  if (!isSame) {
    const next = { ...tool, definition: own, version, lastTest: null, updatedAt: new Date(at).toISOString() };
    yield* replaceVersion(next, tool, audit);
  }
  yield* ruleVersions(toolId, version);
}
