import type { TraceContext } from "@yagate/lib/http/trace-context";
import { defined } from "@yagate/lib/objects/defined";
import type {
  CallToolResult,
  ResumedCall,
  ServedCall,
  ServedLink,
  ServedLinks,
  ServedOutcome,
  ServedTools,
} from "@yagate/mcp/server/port";
import {
  createExecutionSchema,
  type Execution,
  executionIdSchema,
  FINAL_EVENT_TYPES,
  hasEnded,
  type KeyRouting,
  type Page,
  toFieldErrors,
} from "@yagate/protocol";
import type { AgentStore, ChangeRecorder, ExposedAgent, ExposedAgentStore } from "@yagate/store/port";
import * as z from "zod";
import { startRefusal } from "../agents/start-refusal.ts";
import type { IsPriced } from "../agents/unpriced-model.ts";
import { InvalidRequestError } from "../errors/request-errors.ts";
import type { ExecutionService } from "../executions/service/execution-service.ts";
import type { EncodedEvent } from "../executions/streams/event-cache.ts";
import { createAgentTasks, readableStarter } from "./agent-tasks.ts";
import { type ApprovalPages, NO_APPROVAL_PAGES } from "./approval-pages.ts";
import { isOwnFault, toCallResult, toErrorResult, toKnownError } from "./call-result.ts";
import { describeWait, pendingApprovals } from "./person-awaited.ts";
import { EXECUTION_RESULT, toTool } from "./tool-listing.ts";

/** The official clients stop waiting after 60 s. */
const CALL_WAIT_MS = 50_000;
/** How long a call waits if its client accepts a task: most executions that take longer take much longer. */
const TASK_AFTER_MS = 5_000;
const TOOLS_PER_PAGE = 100;

export interface AgentToolsOptions {
  readonly exposedAgents: ExposedAgentStore;
  readonly agents: Pick<AgentStore, "find">;
  readonly executions: Pick<ExecutionService, "startAndFollow" | "follow" | "get" | "toolCalls" | "cancel">;
  readonly isPriced: IsPriced;
  /** Logs an error that is not the client's fault. */
  readonly onError: (error: unknown) => void;
  /**
   * Creates the signal that ends the wait of a call for its execution. The default fires after 50,000 ms, or after 5,000 ms
   * if the client accepts a task.
   */
  readonly waitLimit?: (call: Pick<ServedCall, "acceptsTask">) => AbortSignal;
  readonly approvalPages?: ApprovalPages;
}

/** The client of a request. */
export interface AgentToolsClient {
  readonly workspaceId: string;
  readonly keyId: string | null;
  /** The bounds of the API key for the routing of executions; undefined if it has none. */
  readonly keyRouting: KeyRouting | undefined;
  /** The trace to which the executions of the request belong; absent if the request has no trace. */
  readonly trace?: TraceContext;
  /** Called with the id of each execution that the request starts. */
  readonly onStarted: (executionId: string) => void;
  /** Records the executions that the client cancels. */
  readonly recorder: ChangeRecorder;
}

const agentArgumentsSchema = z.strictObject({ input: z.string().min(1).max(1_000_000) });
const resultArgumentsSchema = z.strictObject({ executionId: executionIdSchema });

/** Progress messages by the type of the event. Other events are not reported. */
const PROGRESS: Readonly<Partial<Record<EncodedEvent["type"], string>>> = {
  "model.requested": "a model turn has started",
  "attempt.started": "a tool call has been sent",
  "tool_call.completed": "a tool call has completed",
  "tool_call.failed": "a tool call has failed",
};

/** Creates the function that offers the exposed agents of a workspace as tools. Each call is an execution. */
export function createAgentTools(options: AgentToolsOptions): (client: AgentToolsClient) => ServedTools {
  const {
    exposedAgents,
    agents,
    executions,
    isPriced,
    onError,
    waitLimit = ({ acceptsTask }) => AbortSignal.timeout(acceptsTask ? TASK_AFTER_MS : CALL_WAIT_MS),
    approvalPages = NO_APPROVAL_PAGES,
  } = options;
  const tasksOf = createAgentTasks({ executions, onError, approvalPages });

  async function callAgent(
    client: AgentToolsClient,
    agentId: string,
    call: ServedCall,
  ): Promise<ServedOutcome | undefined> {
    const { workspaceId, keyId, keyRouting, trace, recorder } = client;
    const found = await agents.find(workspaceId, agentId);
    if (found === undefined) return undefined;
    const request = createExecutionSchema.parse(parse(agentArgumentsSchema, call.arguments));
    const refusal = startRefusal(found, request, isPriced);
    if (refusal !== undefined) throw refusal;
    const wait = waitOf(call);
    const start = { workspaceId, keyId, agent: found.agent, request, keyRouting, ...defined({ trace }) };
    const { execution, events } = await executions.startAndFollow(start, 0, wait);
    client.onStarted(execution.id);
    const { id } = execution;
    await watch(events, call, { isPersonAwaited: false });
    if (call.isCancelledWithCall && call.signal.aborted) await executions.cancel(workspaceId, id, recorder);
    return outcomeOf(client, call, await executions.get(workspaceId, id));
  }

  /** Continues the call of an agent after the client has shown links to approvals. */
  async function resumeCall(client: AgentToolsClient, call: ServedCall, { state }: ResumedCall) {
    const { executionId } = parse(resultArgumentsSchema, { executionId: state }, "requestState");
    const { workspaceId } = client;
    await awaitExecution(client, call, executionId);
    return outcomeOf(client, call, await executions.get(workspaceId, executionId));
  }

  /** Waits until an execution has ended, or the wait is over. */
  async function awaitExecution(client: AgentToolsClient, call: ServedCall, executionId: string): Promise<void> {
    const { workspaceId } = client;
    const found = await executions.get(workspaceId, executionId, readableStarter(client));
    if (hasEnded(found.status)) return;
    const events = await executions.follow(workspaceId, executionId, 0, waitOf({ ...call, acceptsTask: false }));
    await watch(events, call, { isPersonAwaited: true });
  }

  async function resultOfOther(client: AgentToolsClient, call: ServedCall): Promise<CallToolResult> {
    const { executionId } = parse(resultArgumentsSchema, call.arguments);
    await awaitExecution(client, call, executionId);
    return resultOf(client.workspaceId, await executions.get(client.workspaceId, executionId));
  }

  async function outcomeOf(client: AgentToolsClient, call: ServedCall, reached: Execution): Promise<ServedOutcome> {
    if (!hasEnded(reached.status)) {
      const asked = call.acceptsLinks ? await linksTo(client.workspaceId, reached, call.resumed) : undefined;
      if (asked !== undefined) return { asked };
      if (call.acceptsTask) return { task: await tasksOf(client).of(reached) };
    }
    return { result: await resultOf(client.workspaceId, reached) };
  }

  /** Returns the pages of the pending approvals that the client has not shown yet; undefined if there is none. */
  async function linksTo(
    workspaceId: string,
    { id }: Execution,
    resumed: ResumedCall | undefined,
  ): Promise<ServedLinks | undefined> {
    const pending = pendingApprovals(await executions.toolCalls(workspaceId, id));
    const links = await Promise.all(
      pending.map(async ({ approvalId, name }): Promise<readonly ServedLink[]> => {
        if (resumed?.shown.includes(approvalId)) return [];
        const url = await approvalPages.urlOf(approvalId);
        const message = `An approver has to decide about the call of ${name} in the Yagate console.`;
        return url === undefined ? [] : [{ key: approvalId, message, url }];
      }),
    );
    return links.flat().length === 0 ? undefined : { state: id, links: links.flat() };
  }

  /** The protocol library sends the message of an error to the client, so the error must be one of the gateway's own. */
  async function listAgents(workspaceId: string, cursor: string | undefined): Promise<Page<ExposedAgent>> {
    try {
      return await exposedAgents.list(workspaceId, { limit: TOOLS_PER_PAGE, cursor });
    } catch (error) {
      if (isOwnFault(error)) onError(error);
      throw toKnownError(error);
    }
  }

  /** The client's departure ends the wait. It ends the execution only if the client asked for that. */
  function waitOf(call: ServedCall): AbortSignal {
    return AbortSignal.any([call.signal, waitLimit(call)]);
  }

  async function resultOf(workspaceId: string, execution: Execution): Promise<CallToolResult> {
    const { id, status } = execution;
    if (hasEnded(status)) return toCallResult(execution, [], undefined);
    const calls = await executions.toolCalls(workspaceId, id);
    return toCallResult(execution, calls, await describeWait(id, calls, approvalPages));
  }

  return (client) => ({
    tasks: tasksOf(client),
    async list(cursor) {
      const { data, nextCursor } = await listAgents(client.workspaceId, cursor);
      const tools = data.map(toTool);
      if (nextCursor !== null) return { tools, nextCursor };
      return { tools: [...tools, EXECUTION_RESULT] };
    },
    async call(call) {
      try {
        if (call.name === EXECUTION_RESULT.name) return { result: await resultOfOther(client, call) };
        const exposed = await exposedAgents.find(client.workspaceId, call.name);
        if (exposed === undefined) return undefined;
        // A repeated call must not start a second execution.
        if (call.resumed !== undefined) return await resumeCall(client, call, call.resumed);
        return await callAgent(client, exposed.agentId, call);
      } catch (error) {
        if (isOwnFault(error)) onError(error);
        return { result: toErrorResult(error) };
      }
    },
  });
}

/** Events after which the execution may wait for a person for days. */
const WAITS_FOR_PERSON: ReadonlySet<string> = new Set(["approval.requested", "input.requested"]);

/** Reads events until the execution has ended, the wait is over, or a person has to decide or answer. */
async function watch(
  events: AsyncIterable<EncodedEvent>,
  { onProgress }: ServedCall,
  { isPersonAwaited }: { readonly isPersonAwaited: boolean },
): Promise<void> {
  for await (const { type } of events) {
    if (FINAL_EVENT_TYPES.has(type) || (WAITS_FOR_PERSON.has(type) && !isPersonAwaited)) return;
    const message = PROGRESS[type];
    if (message !== undefined) onProgress(message);
  }
}

/** @param path - where the value is in the request; absent if the paths of its fields say so. */
function parse<Value>(schema: z.ZodType<Value>, value: unknown, path?: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = toFieldErrors(parsed.error);
  throw new InvalidRequestError(path === undefined ? fields : fields.map((field) => ({ ...field, path })));
}
