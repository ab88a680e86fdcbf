import {
  type Agent,
  agentSchema,
  type CreateExecution,
  type Execution,
  executionSchema,
  hasEnded,
  type Problem,
  problemSchema,
} from "@yagate/protocol";
import type { Answer, ApiCaller, Call } from "./api-caller.ts";
import { EventReader } from "./event-reader.ts";

/** An agent that plays the script of each request. */
export async function makeAgent(
  api: ApiCaller,
  definition: Record<string, unknown> = {},
  call: Call = {},
): Promise<Agent> {
  const body = { name: "test", model: "scripted/turns", ...definition };
  return agentSchema.parse(expectStatus(await api.call("createAgent", { ...call, body }), 201));
}

/** A request whose execution ends with this text in its first turn. */
export function saying(text: string): CreateExecution {
  return { input: "hello", script: { turns: [{ text }] } };
}

/** A request whose execution calls one tool, then says that it is done. */
export function calling(name: string, rest: Partial<CreateExecution> = {}): CreateExecution {
  return {
    input: "hello",
    script: { turns: [{ toolCalls: [{ name, parameters: {} }] }, { text: "done" }] },
    ...rest,
  };
}

/** Starts an execution and answers at once. */
export async function start(
  api: ApiCaller,
  agentId: string,
  body: CreateExecution,
  call: Call = {},
): Promise<Execution> {
  const answer = await api.call("executeAgent", { ...call, params: { id: agentId }, body });
  return executionSchema.parse(expectStatus(answer, 201));
}

/**
 * Starts an execution and waits until it asks a person or has ended.
 *
 * @returns its id.
 */
export async function startAsking(api: ApiCaller, agentId: string, body: CreateExecution): Promise<string> {
  const { id } = await start(api, agentId, body);
  const reader = new EventReader(await api.open("followExecution", { params: { id } }));
  await reader.until("approval.requested", "execution.completed");
  await reader.leave();
  return id;
}

/** Starts an execution and waits for its end. */
export async function execute(
  api: ApiCaller,
  agentId: string,
  body: CreateExecution,
  call: Call = {},
): Promise<Execution> {
  const headers = { ...call.headers, prefer: "wait=30" };
  const execution = await start(api, agentId, body, { ...call, headers });
  if (!hasEnded(execution.status)) throw new Error("expected the execution to end");
  return execution;
}

export function expectStatus(answer: Answer, status: number): unknown {
  if (answer.status === status) return answer.body;
  throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** The problem of an answer that must be one. */
export function problemOf(answer: Answer): Problem {
  return problemSchema.parse(answer.body);
}

/** The wrong fields of an answer, as `path: message`. */
export function fieldsOf(answer: Answer): readonly string[] {
  return (problemOf(answer).errors ?? []).map(({ path, message }) => `${path}: ${message}`);
}
