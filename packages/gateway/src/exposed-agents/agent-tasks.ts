import { isTokenSubject } from "@yagate/lib/ids/token-subject";
import { defined } from "@yagate/lib/objects/defined";
import type { ServedTask, ServedTasks } from "@yagate/mcp/server/port";
import { type Execution, executionIdSchema, hasEnded, YagateError } from "@yagate/protocol";
import type { ChangeRecorder } from "@yagate/store/port";
import type { ExecutionService } from "../executions/service/execution-service.ts";
import type { ApprovalPages } from "./approval-pages.ts";
import { isOwnFault, toCallResult, toKnownError } from "./call-result.ts";
import { describeWait } from "./person-awaited.ts";

export interface AgentTasksOptions {
  readonly executions: Pick<ExecutionService, "get" | "toolCalls" | "cancel">;
  /** Logs an error that is not the client's fault. */
  readonly onError: (error: unknown) => void;
  readonly approvalPages: ApprovalPages;
}

/** The client that owns the tasks. */
export interface AgentTasksClient {
  readonly workspaceId: string;
  readonly keyId: string | null;
  /** Records the cancellation of an execution. */
  readonly recorder: ChangeRecorder;
}

/** The executions of a workspace as tasks of MCP hosts. The id of the task is that of the execution. */
export interface AgentTasks extends ServedTasks {
  /** Describes an execution as a task. */
  of(execution: Execution): Promise<ServedTask>;
}

/**
 * Returns the key or subject whose executions a client may read; undefined if it may read all executions of its
 * workspace.
 */
export function readableStarter({ keyId }: Pick<AgentTasksClient, "keyId">): string | undefined {
  // An API key can read every execution of its workspace over the API. An access token can use only this route.
  return keyId !== null && isTokenSubject(keyId) ? keyId : undefined;
}

export function createAgentTasks({
  executions,
  onError,
  approvalPages,
}: AgentTasksOptions): (client: AgentTasksClient) => AgentTasks {
  return (client) => {
    const { workspaceId, recorder } = client;

    async function findExecution(taskId: string): Promise<Execution | undefined> {
      if (!executionIdSchema.safeParse(taskId).success) return undefined;
      try {
        return await executions.get(workspaceId, taskId, readableStarter(client));
      } catch (error) {
        if (YagateError.is(error) && error.code === "NOT_FOUND") return undefined;
        throw error;
      }
    }

    async function of(execution: Execution): Promise<ServedTask> {
      const { id, status, createdAt, startedAt, finishedAt } = execution;
      const task = { taskId: id, createdAt, lastUpdatedAt: finishedAt ?? startedAt ?? createdAt };
      if (status === "cancelled") return { ...task, status: "cancelled" };
      if (hasEnded(status)) return { ...task, status: "completed", result: toCallResult(execution, [], undefined) };
      const calls = await executions.toolCalls(workspaceId, id);
      const statusMessage = await describeWait(id, calls, approvalPages);
      return { ...task, status: "working", ...defined({ statusMessage }) };
    }

    /**
     * The protocol library sends the message of an error to the client, so the error must be one of the gateway's own.
     */
    async function known<Result>(work: () => Promise<Result>): Promise<Result> {
      try {
        return await work();
      } catch (error) {
        if (isOwnFault(error)) onError(error);
        throw toKnownError(error);
      }
    }

    return {
      of,
      find: (taskId) =>
        known(async () => {
          const execution = await findExecution(taskId);
          return execution && of(execution);
        }),
      cancel: (taskId) =>
        known(async () => {
          if ((await findExecution(taskId)) === undefined) return false;
          await executions.cancel(workspaceId, taskId, recorder);
          return true;
        }),
    };
  };
}
