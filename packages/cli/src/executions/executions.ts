import type { Execution, StreamEvent } from "@yagate/client";
import {
  executionStatusSchema,
  hasEnded,
  stopReasonSchema,
  toVisibleLine,
  toVisibleText,
  YagateError,
} from "@yagate/protocol";
import { agentIdOf } from "../agents/find-agent.ts";
import { gatewayClient } from "../gateway-client.ts";
import { momentOf } from "../moment.ts";
import { table } from "../table.ts";

const DEFAULT_LIMIT = 50;
const PAGE_LIMIT = 200;
const MAX_INPUT = 60;

export interface ListOptions {
  readonly status?: string;
  readonly agent?: string;
  readonly code?: string;
  readonly stopReason?: string;
  readonly since?: string;
  readonly until?: string;
  readonly metadata?: readonly string[];
  readonly limit?: string;
  readonly json?: boolean;
}

/**
 * Prints the workspace's executions, newest first: in columns, or each whole as a line of JSON.
 *
 * @throws YagateError `INVALID_REQUEST` when a filter cannot be parsed.
 */
export async function listExecutions(options: ListOptions): Promise<void> {
  const { agent, code, since, until, json = false } = options;
  const limit = limitOf(options.limit, json ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT);
  const client = gatewayClient();
  const filter = {
    ...(options.status === undefined ? {} : { status: statusOf(options.status) }),
    ...(agent === undefined ? {} : { agent: await agentIdOf(client, agent) }),
    ...(code === undefined ? {} : { code }),
    ...(options.stopReason === undefined ? {} : { stopReason: stopReasonOf(options.stopReason) }),
    ...(since === undefined ? {} : { since: momentOf(since, "--since", "ago") }),
    ...(until === undefined ? {} : { until: momentOf(until, "--until", "ago") }),
    ...(options.metadata === undefined ? {} : { metadata: metadataOf(options.metadata) }),
  };
  const shown: Execution[] = [];
  let count = 0;
  for await (const execution of client.executions.list({
    limit: Math.min(PAGE_LIMIT, limit + 1),
    ...filter,
  })) {
    count += 1;
    if (count > limit) break;
    // Printed as they come: a whole workspace need not fit into memory.
    if (json) console.log(toVisibleLine(JSON.stringify(execution)));
    else shown.push(execution);
  }
  if (!json) console.log(describe(shown));
  if (count > limit) console.error("There are more: see --limit and --until.");
}

/** Prints one execution as JSON, with its tool calls. */
export async function showExecution(id: string): Promise<void> {
  const { executions } = gatewayClient();
  const execution = await executions.get(id);
  const toolCalls = await executions.toolCalls(id).toArray();
  console.log(toVisibleText(JSON.stringify({ ...execution, toolCalls }, null, 2)));
}

/** Prints an execution's events up to its end, from the first one. Status 1: it failed or was cancelled. */
export async function followExecution(id: string, { json = false }: { readonly json?: boolean }): Promise<void> {
  const client = gatewayClient();
  for await (const event of client.executions.events(id)) {
    const line = json ? JSON.stringify(event) : lineOf(event);
    if (line !== undefined) console.log(toVisibleLine(line));
  }
  const { status } = await client.executions.get(id);
  if (status !== "completed") process.exitCode = 1;
}

/** Asks an execution to stop. */
export async function cancelExecution(id: string, { json = false }: { readonly json?: boolean }): Promise<void> {
  const execution = await gatewayClient().executions.cancel(id);
  if (json) return console.log(toVisibleText(JSON.stringify(execution, null, 2)));
  const { status } = execution;
  console.log(
    toVisibleLine(hasEnded(status) ? `${id} has ended: ${status}.` : `${id} is being cancelled; it is ${status} now.`),
  );
}

function statusOf(text: string) {
  const parsed = executionStatusSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw refusal(`expected --status to be one of ${executionStatusSchema.options.join(", ")}`);
}

function stopReasonOf(text: string) {
  const parsed = stopReasonSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw refusal(`expected --stop-reason to be one of ${stopReasonSchema.options.join(", ")}`);
}

function metadataOf(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw refusal("expected --metadata name=value, such as orderId=ORD-7");
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  const metadata = Object.fromEntries(pairs);
  if (Object.keys(metadata).length < pairs.length) throw refusal("expected each name of --metadata once");
  return metadata;
}

function limitOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw refusal("expected --limit to be a whole number from 1 on");
}

function refusal(message: string): YagateError {
  return new YagateError("INVALID_REQUEST", message, { hint: "Nothing was sent." });
}

function describe(executions: readonly Execution[]): string {
  if (executions.length === 0) return "There are none.";
  const rows = executions.map(({ id, createdAt, status, stopReason, error, agentId, agentVersion, input }) => [
    ...[id, createdAt, status, error?.code ?? stopReason ?? "-", `${agentId}@${agentVersion}`],
    inputOf(input),
  ]);
  return table([["ID", "CREATED", "STATUS", "WHY", "AGENT", "INPUT"], ...rows]);
}

function inputOf(input: Execution["input"]): string {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return text.length <= MAX_INPUT ? text : `${text.slice(0, MAX_INPUT - 1)}…`.toWellFormed();
}

/** Pieces of text are left out: the whole text of a turn comes after them. */
function lineOf(event: StreamEvent): string | undefined {
  if (event.type === "text.delta") return undefined;
  const { type, seq, at, executionId: _executionId, ...fields } = event;
  return `${seq} ${at} ${type} ${JSON.stringify(fields)}`;
}
