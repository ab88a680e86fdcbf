import type { Execution, StreamEvent } from "@yagate/client";
import { defined } from "@yagate/lib/objects/defined";
import {
  executionModeSchema,
  executionStatusSchema,
  hasEnded,
  stopReasonSchema,
  toVisibleLine,
  YagateError,
} from "@yagate/protocol";
import { agentIdOf } from "../agents/find-agent.ts";
import { commandName } from "../command-name.ts";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { listLimitOf } from "../list-limit.ts";
import { momentOf } from "../moment.ts";
import { printList } from "../print-list.ts";
import { table } from "../text/table.ts";
import { metadataOf } from "./metadata-pairs.ts";

const PAGE_LIMIT = 200;

export interface ListOptions {
  readonly status?: string;
  readonly agent?: string;
  readonly code?: string;
  readonly stopReason?: string;
  readonly mode?: string;
  readonly tool?: string;
  readonly since?: string;
  readonly until?: string;
  readonly metadata?: readonly string[];
  readonly limit?: string;
}

/**
 * Prints the workspace's executions, newest first, as columns or as one line of JSON each.
 *
 * @throws YagateError `INVALID_REQUEST` if a filter cannot be parsed.
 */
export async function listExecutions(invocation: Invocation, options: ListOptions): Promise<void> {
  const { agent, code, tool, since, until } = options;
  const { output } = invocation;
  const limit = listLimitOf(options.limit, output);
  const client = await invocation.client();
  const filter = {
    ...(options.status === undefined ? {} : { status: statusOf(options.status) }),
    ...(agent === undefined ? {} : { agent: await agentIdOf(client, agent) }),
    ...defined({ code, tool }),
    ...(options.stopReason === undefined ? {} : { stopReason: stopReasonOf(options.stopReason) }),
    ...(options.mode === undefined ? {} : { mode: modeOf(options.mode) }),
    ...(since === undefined ? {} : { since: momentOf(since, "--since", "ago") }),
    ...(until === undefined ? {} : { until: momentOf(until, "--until", "ago") }),
    ...(options.metadata === undefined ? {} : { metadata: metadataOf(options.metadata) }),
  };
  const found = client.executions.list({ limit: Math.min(PAGE_LIMIT, limit + 1), ...filter });
  await printList(output, found, { limit, describe, more: "There are more executions: use --limit and --until." });
}

/** Prints one execution as JSON, with its tool calls. */
export async function showExecution(invocation: Invocation, id: string): Promise<void> {
  const { executions } = await invocation.client();
  const execution = await executions.get(id);
  const toolCalls = await executions.toolCalls(id).toArray();
  invocation.output.document({ ...execution, toolCalls });
}

/**
 * Prints an execution's events from the first to the last. The exit status is 1 if the execution failed or was
 * cancelled.
 */
export async function followExecution(invocation: Invocation, id: string): Promise<void> {
  const client = await invocation.client();
  const { output } = invocation;
  for await (const event of client.executions.events(id)) {
    // Text deltas are for programs. For people, the complete text of a model turn follows.
    if (output.isJson || event.type !== "text.delta") output.line(event, () => toVisibleLine(lineOf(event)));
  }
  const { status } = await client.executions.get(id);
  if (status !== "completed") process.exitCode = EXIT.answerIsNo;
}

/** Cancels an execution. */
export async function cancelExecution(invocation: Invocation, id: string): Promise<void> {
  const execution = await (await invocation.client()).executions.cancel(id);
  const { status } = execution;
  const text = hasEnded(status) ? `${id} has ended: ${status}.` : `${id} is being cancelled; its status is ${status}.`;
  invocation.output.done(execution, text);
}

export interface ReplayOptions {
  readonly fromTurn?: string;
  readonly live?: boolean;
  readonly confirm?: boolean;
}

/**
 * Starts a replay of an execution.
 *
 * @throws YagateError `INVALID_REQUEST` if `fromTurn` is not a number.
 */
export async function replayExecution(invocation: Invocation, id: string, options: ReplayOptions): Promise<void> {
  const { fromTurn, live, confirm } = options;
  if (fromTurn !== undefined && !/^[1-9][0-9]{0,4}$/.test(fromTurn)) {
    throw refusal("expected --from-turn to be the number of a model turn, from 1");
  }
  const { executions } = await invocation.client();
  const execution = await executions.replay(id, {
    ...defined({ fromTurn: fromTurn === undefined ? undefined : Number(fromTurn) }),
    ...(live === true ? { toolMode: "live" } : {}),
    ...(confirm === true ? { confirm: true } : {}),
  });
  invocation.output.done(execution, `${execution.id} replays ${id}; its status is ${execution.status}.`);
  if (!invocation.output.isJson) invocation.output.note(`${commandName()} executions follow ${execution.id}`);
}

function statusOf(text: string) {
  const parsed = executionStatusSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw refusal(`expected --status to be one of ${executionStatusSchema.options.join(", ")}`);
}

function modeOf(text: string) {
  const parsed = executionModeSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw refusal(`expected --mode to be one of ${executionModeSchema.options.join(", ")}`);
}

function stopReasonOf(text: string) {
  const parsed = stopReasonSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw refusal(`expected --stop-reason to be one of ${stopReasonSchema.options.join(", ")}`);
}

function refusal(message: string): YagateError {
  return new YagateError("INVALID_REQUEST", message);
}

function describe(executions: readonly Execution[]): string {
  if (executions.length === 0) return "No execution matches.";
  const rows = executions.map(({ id, createdAt, status, stopReason, error, agentId, agentVersion, input }) => [
    ...[id, createdAt, status, error?.code ?? stopReason ?? "-", `${agentId}@${agentVersion}`],
    inputOf(input),
  ]);
  return table([["ID", "CREATED", "STATUS", "WHY", "AGENT", "INPUT"], ...rows]);
}

function inputOf(input: Execution["input"]): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

function lineOf(event: StreamEvent): string {
  if (event.type === "text.delta") return event.text;
  const { type, seq, at, executionId: _executionId, ...fields } = event;
  return `${seq} ${at} ${type} ${JSON.stringify(fields)}`;
}
