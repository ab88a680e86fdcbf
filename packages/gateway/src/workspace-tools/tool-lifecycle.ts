import {
  type FieldError,
  type LastTest,
  type StoredWorkspaceTool,
  type ToolStatus,
  type testWorkspaceToolSchema,
  type WorkspaceToolTest,
  YagateError,
} from "@yagate/protocol";
import type { ChangeRecorder, ToolStore } from "@yagate/store/port";
import type * as z from "zod";
import { InvalidRequestError } from "../errors/request-errors.ts";
import { TOOL_SUBJECT } from "./audit-subjects.ts";
import { parseComplete } from "./complete-definition.ts";
import { slimPreview } from "./slim-preview.ts";
import { checkDefinition, type ToolCheck } from "./tool-check.ts";
import type { PrepareTest, ToolTestOutcome } from "./tool-tester.ts";
import { noSuchTool, staleVersion } from "./tool-writer.ts";

export interface ToolLifecycleOptions {
  readonly tools: ToolStore;
  readonly prepareTest: PrepareTest;
  readonly check: ToolCheck;
  readonly now: () => number;
}

type TestRequest = z.output<typeof testWorkspaceToolSchema> & {
  readonly signal: AbortSignal;
  readonly recorder?: ChangeRecorder;
};

/** Advances tools from `draft` to `created`. */
export interface ToolLifecycle {
  /**
   * Returns the tool. A draft includes its problems.
   * @throws YagateError `NOT_FOUND`.
   */
  get(workspaceId: string, toolId: string): Promise<StoredWorkspaceTool>;
  /**
   * Calls the tool once with a real request. A REST tool becomes `tested` after a success and `configured` after a
   * failure. A draft without problems is treated as configured.
   * @throws InvalidRequestError for invalid arguments, or if `confirm` is missing and the method is not GET.
   * @throws YagateError `CONFLICT` for a draft (with all its problems), during another test, or after a concurrent
   *   change; `NOT_FOUND`.
   */
  test(workspaceId: string, toolId: string, request: TestRequest): Promise<StoredWorkspaceTool>;
  /**
   * Returns the latest test with its complete response.
   * @throws YagateError `NOT_FOUND`.
   */
  lastTest(workspaceId: string, toolId: string): Promise<WorkspaceToolTest>;
  /**
   * Advances a tested tool to `validated`.
   * @throws YagateError `CONFLICT` unless its latest test succeeded and `version`, if given, is the current one;
   *   `NOT_FOUND`.
   */
  validate(
    workspaceId: string,
    toolId: string,
    version: number | undefined,
    recorder?: ChangeRecorder,
  ): Promise<StoredWorkspaceTool>;
  /**
   * Advances a validated tool to `created`.
   * @throws YagateError `CONFLICT` unless it is validated and `version`, if given, is the current one; `NOT_FOUND`.
   */
  finalize(
    workspaceId: string,
    toolId: string,
    version: number | undefined,
    recorder?: ChangeRecorder,
  ): Promise<StoredWorkspaceTool>;
}

/** Hints at the next step, by status. */
const NEXT_STEP: Readonly<Record<ToolStatus, string>> = {
  draft: "complete its definition first",
  configured: "test it first",
  tested: "validate it first",
  validated: "finalize it",
  created: "there is no next step",
};

const VALIDATION = { from: "tested", to: "validated", action: "tool.validated" } as const;
const FINALIZATION = { from: "validated", to: "created", action: "tool.finalized" } as const;

export function createToolLifecycle({ tools, prepareTest, check, now }: ToolLifecycleOptions): ToolLifecycle {
  async function get(workspaceId: string, toolId: string): Promise<StoredWorkspaceTool> {
    const found = await tools.find(workspaceId, toolId);
    if (found === undefined || found.archivedAt !== null) throw noSuchTool();
    return found.tool;
  }

  /** Returns the problems with a draft. */
  async function problemsOf(workspaceId: string, { definition }: StoredWorkspaceTool): Promise<readonly FieldError[]> {
    return (await checkDefinition(check, workspaceId, definition)).errors;
  }

  async function step(
    workspaceId: string,
    tool: StoredWorkspaceTool,
    { from, to, action }: { readonly from: ToolStatus; readonly to: ToolStatus; readonly action: string },
    version: number | undefined,
    recorder: ChangeRecorder | undefined,
  ): Promise<StoredWorkspaceTool> {
    if (version !== undefined && version !== tool.version) throw staleVersion(tool.version);
    // Repeating a completed step succeeds.
    if (tool.status === to || tool.status === "created") return tool;
    if (tool.status !== from) {
      const problems = tool.status === "draft" ? await problemsOf(workspaceId, tool) : [];
      const isComplete = tool.status === "draft" && problems.length === 0;
      throw new YagateError(
        "CONFLICT",
        `expected a tool with the status ${from}; ${tool.name} is ${stateOf(tool.status, problems)}`,
        { hint: NEXT_STEP[isComplete ? "configured" : tool.status] },
      );
    }
    const audit = recorder?.of(workspaceId, action, TOOL_SUBJECT);
    await tools.advance(workspaceId, { toolId: tool.id, version: tool.version, from, to }, audit);
    return { ...tool, status: to };
  }

  const underTest = new Set<string>();

  /**
   * Runs a test unless another test of the tool is running. Without this check, the conflict would be found only after
   * the later test had sent its request.
   */
  async function alone<T>(toolId: string, run: () => Promise<T>): Promise<T> {
    if (underTest.has(toolId)) {
      const hint = "wait until that test has ended; no request was sent";
      throw new YagateError("CONFLICT", "another test of this tool is running", { hint });
    }
    underTest.add(toolId);
    try {
      return await run();
    } finally {
      underTest.delete(toolId);
    }
  }

  async function test(
    workspaceId: string,
    toolId: string,
    { parameters, confirm, signal, recorder }: TestRequest,
  ): Promise<StoredWorkspaceTool> {
    const tool = await get(workspaceId, toolId);
    const parsed = parseComplete(tool.definition);
    if (tool.status === "draft" || "problems" in parsed) {
      const problems = await problemsOf(workspaceId, tool);
      if (problems.length > 0 || "problems" in parsed) {
        const message = `expected a complete tool; ${tool.name} is ${stateOf("draft", problems)}`;
        throw new YagateError("CONFLICT", message, { hint: NEXT_STEP.draft });
      }
    }
    const prepared = await prepareTest(workspaceId, parsed.definition, parameters);
    if (prepared.method !== null && prepared.method !== "GET" && !confirm) throw unconfirmed(prepared.method);
    const outcome = await prepared.run(signal);
    const lastTest: LastTest = {
      ...{ at: new Date(now()).toISOString(), ok: outcome.ok, httpStatus: outcome.httpStatus },
      ...{ durationMs: outcome.durationMs, preview: slimPreview(previewed(outcome)) },
    };
    const to = statusAfter(tool, outcome.ok);
    const { response, error } = outcome;
    const test = { lastTest, parameters, response, error };
    const audit = recorder?.of(workspaceId, "tool.tested", TOOL_SUBJECT);
    await tools.advance(workspaceId, { toolId, version: tool.version, from: tool.status, to, test }, audit);
    return { ...tool, status: to, lastTest };
  }

  return {
    async get(workspaceId, toolId) {
      const tool = await get(workspaceId, toolId);
      if (tool.status !== "draft") return tool;
      return { ...tool, problems: [...(await problemsOf(workspaceId, tool))] };
    },
    test: async (workspaceId, toolId, request) => {
      const { id } = await get(workspaceId, toolId);
      return alone(id, () => test(workspaceId, id, request));
    },
    async lastTest(workspaceId, toolId) {
      const test = await tools.findTest(workspaceId, toolId);
      if (test !== undefined) return test;
      await get(workspaceId, toolId);
      throw new YagateError("NOT_FOUND", "the tool has not been tested");
    },
    validate: async (workspaceId, toolId, version, recorder) =>
      step(workspaceId, await get(workspaceId, toolId), VALIDATION, version, recorder),
    finalize: async (workspaceId, toolId, version, recorder) =>
      step(workspaceId, await get(workspaceId, toolId), FINALIZATION, version, recorder),
  };
}

function statusAfter({ kind, status }: StoredWorkspaceTool, ok: boolean): ToolStatus {
  if (kind !== "rest") return status;
  if (!ok) return "configured";
  return status === "configured" || status === "draft" ? "tested" : status;
}

function stateOf(status: ToolStatus, problems: readonly FieldError[]): string {
  if (problems.length === 0) return status;
  return `${status}: ${problems.map(({ path, message }) => `${path}: ${message}`).join("; ")}`;
}

function previewed({ response, error }: ToolTestOutcome) {
  return error === null ? response : { error: { ...error }, ...(response === null ? {} : { response }) };
}

function unconfirmed(method: string): InvalidRequestError {
  const message = `expected true: the test sends a real ${method} request, which may change data`;
  return new InvalidRequestError([{ path: "confirm", code: "CONFIRMATION_REQUIRED", message }]);
}
