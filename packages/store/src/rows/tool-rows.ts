import type {
  JsonObject,
  JsonValue,
  LastTest,
  Page,
  PageQuery,
  StoredWorkspaceTool,
  Toolkit,
  ToolStatus,
  WorkspaceToolQuery,
  WorkspaceToolTest,
} from "@yagate/protocol";

import type { Audit } from "./audit-rows.ts";

/** ms since the epoch. */
type EpochMs = number;

/** A workspace tool in one version, with what only the gateway keeps. */
export interface ToolRow {
  readonly workspaceId: string;
  readonly tool: StoredWorkspaceTool;
  readonly archivedAt: EpochMs | null;
}

/** A toolkit; its tools are found by its id. */
export interface ToolkitRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly provider: string;
  readonly credential: string | null;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** A tool as a change of its status alone tells of it. */
export type ToolStep = Pick<StoredWorkspaceTool, "id" | "name" | "version" | "status">;

/** What the audit log keeps of tools that are made together with their toolkit. */
export interface ToolAudit {
  readonly tool: Audit<StoredWorkspaceTool>;
  readonly toolkit?: Audit<ToolkitRow>;
}

/** How far the current version of a tool gets; what is left out stays. */
export interface ToolAdvance {
  readonly toolId: string;
  /** The current one, else it is a conflict. */
  readonly version: number;
  /** The status that the caller saw, else it is a conflict. */
  readonly from: ToolStatus;
  readonly to: ToolStatus;
  readonly test?: ToolTestRecord;
}

/** A test, its answer in full and its slim preview. */
export interface ToolTestRecord {
  readonly lastTest: LastTest;
  readonly parameters: JsonObject;
  readonly response: JsonValue;
  readonly error: ToolTestError | null;
}

/** Why a test failed: for the model, and for whoever writes the tool. */
export type ToolTestError = {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly developerMessage?: string;
};

/** The tools of workspaces. What a version is made of never changes; its status and last test do. */
export interface ToolStore {
  /**
   * Makes all of them, and their toolkit if there is one, or nothing.
   * @param maxTools - that are not archived, these included; null: any number.
   * @throws YagateError `CONFLICT` for a name that a tool of the workspace has; `NOT_FOUND` for a toolkit that is not
   * there. QuotaExceededError when the workspace would have more than `maxTools`.
   */
  create(
    workspaceId: string,
    tools: readonly StoredWorkspaceTool[],
    toolkit?: ToolkitRow,
    audit?: ToolAudit,
    maxTools?: number | null,
  ): Promise<void>;
  /**
   * Adds the next version, if the current one is `expectedVersion`.
   * @throws YagateError `CONFLICT` otherwise, or when its name is taken; `NOT_FOUND` when it is not this workspace's or
   * archived, or its toolkit is not there.
   */
  update(
    workspaceId: string,
    tool: StoredWorkspaceTool,
    expectedVersion: number,
    audit?: Audit<StoredWorkspaceTool>,
  ): Promise<void>;
  /**
   * Moves the current version to another status, and keeps what a test brought.
   * @throws YagateError `CONFLICT` when another version or another status is there by now, `NOT_FOUND`.
   */
  advance(workspaceId: string, advance: ToolAdvance, audit?: Audit<StoredWorkspaceTool>): Promise<void>;
  /** Its versions stay for the agents that have them. @throws YagateError `NOT_FOUND`. */
  archive(workspaceId: string, toolId: string, at: EpochMs, audit?: Audit<StoredWorkspaceTool>): Promise<void>;
  /** The current version, archived or not. */
  find(workspaceId: string, toolId: string): Promise<ToolRow | undefined>;
  /** The one of this name that is not archived. */
  findByName(workspaceId: string, name: string): Promise<ToolRow | undefined>;
  findVersion(toolId: string, version: number): Promise<ToolRow | undefined>;
  /** Without the archived ones, newest first. */
  list(workspaceId: string, query: WorkspaceToolQuery): Promise<Page<StoredWorkspaceTool>>;
  /** Newest first. */
  versions(workspaceId: string, toolId: string, page: PageQuery): Promise<Page<StoredWorkspaceTool>>;
  /** The last test of whichever version. */
  findTest(workspaceId: string, toolId: string): Promise<WorkspaceToolTest | undefined>;
}

export interface ToolkitStore {
  create(toolkit: ToolkitRow, audit?: Audit<ToolkitRow>): Promise<void>;
  /** @throws YagateError `NOT_FOUND`. */
  update(toolkit: ToolkitRow, audit?: Audit<ToolkitRow>): Promise<void>;
  find(workspaceId: string, toolkitId: string): Promise<Toolkit | undefined>;
  /** Newest first. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Toolkit>>;
  /** Its validated tools are `created` from now on. @returns their ids. */
  finalize(workspaceId: string, toolkitId: string, audit?: Audit<ToolStep>): Promise<readonly string[]>;
  /**
   * Its tools stay, outside of any toolkit; but with `archiveAt`, those that are not `created` are archived.
   * @throws YagateError `NOT_FOUND`.
   */
  delete(
    workspaceId: string,
    toolkitId: string,
    archiveAt: EpochMs | null,
    audit?: { readonly toolkit: Audit<ToolkitRow>; readonly tool: Audit<ToolStep> },
  ): Promise<void>;
}
