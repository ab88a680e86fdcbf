import { randomBytes } from "node:crypto";
import type { Agent, ExecutionResult, StartRequest, StreamEvent, Yagate } from "@yagate/client";
import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import type { AgentResolver } from "../agents/agent-resolver.ts";
import { toolSchemas } from "../agents/agent-resolver.ts";
import { assertKnownIntents } from "../agents/check-intents.ts";
import { type JudgeRubric, judgePrompt, readGrade } from "../assertions/judge-rubric.ts";
import { type Judgement, judgeRun } from "../assertions/judge-run.ts";
import { madeCalls } from "../calls/made-call.ts";
import type { EvalCase } from "../cases/eval-case.ts";
import { type Cassette, judgementHash } from "../cassettes/cassette.ts";

/** How long a run may take if its case has no `budget.wall_time_ms`. */
const DEFAULT_RUN_MS = 600_000;

/** What the runs of all cases share. */
export interface RunContext {
  readonly client: Yagate;
  readonly agents: AgentResolver;
  /** The judge for cases that name none. */
  readonly judge: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A finished run with its verdict. */
export interface JudgedRun {
  readonly execution: ExecutionResult;
  readonly judgement: Judgement;
  /** The replies of judges, for a cassette. */
  readonly judgements: Cassette["judgements"];
  /** The cost of the judges in US dollars. */
  readonly judgeCostUsd: number;
}

/**
 * Runs a case once and judges the run.
 *
 * @param cassette - the recording to run from; undefined for a live run.
 * @throws YagateError if the execution could not be started, or did not end in time. It is then cancelled.
 */
export async function runCase(one: EvalCase, context: RunContext, cassette: Cassette | undefined): Promise<JudgedRun> {
  const { agent: reference, file } = one;
  if (reference === undefined) {
    throw new YagateError("INVALID_REQUEST", "expected the field agent: an id, a name or a file with a definition");
  }
  const agent = await context.agents.resolve(reference, file);
  assertKnownIntents(one, agent);
  const events: StreamEvent[] = [];
  const execution = await execute(agent, requestOf(one, cassette), { ...context, events });
  const run = { execution, events, calls: madeCalls(execution, events), schemas: toolSchemas(agent) };
  const judge = createJudge(one, run.execution, { ...context, cassette });
  const judgement = await judgeRun(one, run, judge.grade);
  return { execution, judgement, judgements: judge.answers, judgeCostUsd: judge.costUsd() };
}

interface Start {
  readonly request: StartRequest;
  readonly maxWaitMs: number;
}

function requestOf(one: EvalCase, cassette: Cassette | undefined): Start {
  const { input, caller, metadata, routing, limits, tool_choice: toolChoice, script, budget } = one;
  const maxWaitMs = budget?.wall_time_ms === undefined ? DEFAULT_RUN_MS : Math.max(1_000, budget.wall_time_ms);
  const request = {
    input,
    ...defined({ caller, metadata, routing, limits, toolChoice, recording: cassette?.recording }),
    ...(cassette === undefined ? defined({ script }) : {}),
  };
  return { request, maxWaitMs };
}

interface Execution {
  readonly client: Yagate;
  readonly events: StreamEvent[];
  readonly signal: AbortSignal | undefined;
}

/** An execution that waits for a person is cancelled, because no person takes part in an eval. */
async function execute({ id }: Agent, { request, maxWaitMs }: Start, { client, events, signal }: Execution) {
  signal?.throwIfAborted();
  const { id: executionId } = await client.agents.start(id, request);
  const cancel = () => client.executions.cancel(executionId).catch(() => undefined);
  try {
    const stream = client.executions.events(executionId, {
      ...{ maxWaitMs, ...defined({ signal }) },
      async onWaiting({ reason }) {
        if (reason === "approval" || reason === "input") await cancel();
      },
    });
    for await (const event of stream) events.push(event);
    return await stream.result();
  } catch (error) {
    await cancel();
    throw error;
  }
}

interface Judging extends RunContext {
  readonly cassette: Cassette | undefined;
}

function createJudge(one: EvalCase, execution: ExecutionResult, context: Judging) {
  const { client, agents, cassette, signal } = context;
  const reference = one.judge ?? context.judge;
  const answers: Cassette["judgements"] = [];
  let costUsd = 0;
  const output = execution.output?.text ?? "";
  const ask = async (rubric: string, hash: string): Promise<string | undefined> => {
    const recorded = cassette?.judgements.find((known) => known.hash === hash);
    if (recorded !== undefined || cassette !== undefined) return recorded?.answer;
    const judge = await agents.resolve(reference ?? "", one.file);
    const input = judgePrompt(rubric, { input: textOf(one.input), output }, randomBytes(16).toString("hex"));
    const answered = await client.agents.execute(judge.id, {
      input,
      maxWaitMs: DEFAULT_RUN_MS,
      ...defined({ signal }),
    });
    costUsd += answered.cost.usd;
    return answered.output?.text ?? "";
  };
  const grade: JudgeRubric = async (rubric) => {
    const hash = await judgementHash(rubric, output);
    const answer = await ask(rubric, hash);
    if (answer === undefined) return { problem: "the cassette has no grade for this rubric: record the case again" };
    answers.push({ hash, answer });
    return readGrade(answer);
  };
  const canGrade = reference !== undefined || cassette !== undefined;
  return { grade: canGrade ? grade : undefined, answers, costUsd: () => costUsd };
}

function textOf(input: EvalCase["input"]): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}
