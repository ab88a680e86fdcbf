import { NotFinishedError, type Waiting } from "@yagate/client";
import {
  executionRoutingSchema,
  partialLimitsSchema,
  type StreamEvent,
  scriptSchema,
  toVisibleLine,
  toVisibleText,
  YagateError,
} from "@yagate/protocol";
import { findAgent } from "../agents/find-agent.ts";
import { commandName } from "../command-name.ts";
import { metadataOf } from "../executions/metadata-pairs.ts";
import { checkedBody } from "../frame/checked-body.ts";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import type { Output } from "../frame/output.ts";
import { readJson, readJsonArgument, readText } from "../read-text.ts";
import { describeHeldTools } from "../sources/held-tools.ts";
import { approveModeOf, decideApprovals } from "./decide-approvals.ts";
import { describeEnd } from "./describe-end.ts";
import { describeWaiting } from "./describe-waiting.ts";

export interface ExecOptions {
  readonly follow?: boolean;
  readonly script?: string;
  readonly maxCost?: string;
  readonly maxTokens?: string;
  /** JSON, or `-` for standard input. */
  readonly routing?: string;
  readonly metadata?: readonly string[];
  readonly detach?: boolean;
  /** `ask` or `deny`. */
  readonly approve?: string;
}

/**
 * Executes an agent, and prints its tool calls and its text. The exit status is 1 if the execution failed or was
 * cancelled, 5 if it did not end within `--timeout`.
 */
export async function execute(
  invocation: Invocation,
  nameOrId: string,
  words: readonly string[],
  options: ExecOptions,
): Promise<void> {
  const { output, timeoutMs: maxWaitMs } = invocation;
  const { follow = process.stdout.isTTY === true } = options;
  const terminal = invocation.terminal();
  const approve = approveModeOf(options.approve, terminal);
  const client = await invocation.client();
  const script = options.script === undefined ? {} : { script: await scriptOf(options.script) };
  const limits = limitsOf(options);
  const routing = options.routing === undefined ? {} : { routing: await routingOf(options.routing) };
  const metadata = options.metadata === undefined ? {} : { metadata: metadataOf(options.metadata) };
  const input = words.length === 1 && words[0] === "-" ? (await readText("-")).trimEnd() : words.join(" ");
  const { id } = await findAgent(client, nameOrId);
  const body = { input, ...script, ...limits, ...routing, ...metadata };
  if (options.detach === true) {
    const started = await client.agents.start(id, body);
    output.result(started, () => started.id);
    output.note(`${commandName()} executions follow ${started.id}`);
    return;
  }
  const printer = follow && !output.isJson ? new Printer(output) : undefined;
  const onEvent = (event: StreamEvent) => {
    if (event.type === "execution.started") {
      if (!output.isJson) output.note(event.executionId);
      if (event.heldTools !== undefined) output.note(toVisibleLine(describeHeldTools(event.heldTools)));
    }
    printer?.print(event);
  };
  const onWaiting = async (waiting: Waiting) => {
    printer?.end();
    if (approve === undefined || waiting.reason !== "approval") output.note(describeWaiting(waiting));
    else await decideApprovals(client, waiting, approve, terminal);
  };
  const request = { ...body, maxWaitMs, onEvent, onWaiting };
  const result = await client.agents.execute(id, request).catch((error: unknown) => {
    printer?.end();
    throw NotFinishedError.is(error) ? goesOn(error) : error;
  });
  if (output.isJson) output.document(result);
  else if (printer === undefined) {
    for (const { name, parameters, status, error } of result.toolCalls) {
      output.note(callLine({ name, parameters }, endOf(status, error)));
    }
    if (result.output !== null) console.log(toVisibleText(result.output.text));
  } else printer.end();
  if (!output.isJson) for (const line of describeEnd(result, options.maxCost !== undefined)) output.note(line);
  if (result.status !== "completed") process.exitCode = EXIT.answerIsNo;
}

/** Adds the command that shows the rest of the execution, because the execution continues. */
function goesOn({ message, executionId }: NotFinishedError): YagateError {
  const hint = executionId === null ? {} : { hint: `${commandName()} executions follow ${executionId}` };
  return new YagateError("NOT_FINISHED", `${message}; it continues`, hint);
}

/**
 * Parses the limits.
 *
 * @throws YagateError `INVALID_REQUEST` if one is invalid.
 */
function limitsOf({ maxCost, maxTokens }: ExecOptions) {
  if (maxCost === undefined && maxTokens === undefined) return {};
  const limits = {
    ...(maxCost === undefined ? {} : { maxCostUsd: Number(maxCost || Number.NaN) }),
    ...(maxTokens === undefined ? {} : { maxTotalTokens: Number(maxTokens || Number.NaN) }),
  };
  return { limits: checkedBody(partialLimitsSchema, limits) };
}

async function routingOf(text: string) {
  const example = '{"dataClass":"public","scopes":["orders"]}';
  return checkedBody(executionRoutingSchema, await readJsonArgument(text, "--routing", example));
}

async function scriptOf(file: string) {
  return checkedBody(scriptSchema, await readJson(file));
}

interface Call {
  readonly name: string;
  readonly parameters: unknown;
}

function callLine({ name, parameters }: Call, [end = "", ...more]: readonly string[]): string {
  return [`${name} ${JSON.stringify(parameters)}: ${end}`, ...more].map(toVisibleLine).join("\n  ");
}

interface CallError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly developerMessage?: string | undefined;
}

/**
 * Describes the end of a call, such as `failed TIMEOUT: the tool did not respond within 400 ms`. Omits the hint, which
 * is meant for a model.
 */
function endOf(status: string, error: CallError | null | undefined): readonly string[] {
  if (error == null || status === "completed") return [status];
  const next = error.developerMessage ?? error.hint;
  return [`${status} ${error.code}: ${error.message}`, ...(next === undefined ? [] : [next])];
}

/** Prints an execution as it happens: text as it arrives, and calls on separate lines of standard error. */
class Printer {
  #isInLine = false;
  /** Whether the text of this model turn has been printed in chunks. */
  #hasDeltas = false;
  readonly #calls = new Map<string, Call>();
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  print(event: StreamEvent): void {
    if (event.type === "text.delta") {
      this.#hasDeltas = true;
      this.#write(event.text);
    } else if (event.type === "model.requested") {
      this.#hasDeltas = false;
    } else if (event.type === "model.responded") {
      if (!this.#hasDeltas) this.#write(event.text);
      this.end();
    } else if (event.type === "tool_call.requested") {
      this.#calls.set(event.toolCallId, { name: event.name, parameters: event.parameters });
    } else if (event.type === "tool_call.completed") this.#tell(event.toolCallId, ["completed"]);
    else if (event.type === "tool_call.denied") this.#tell(event.toolCallId, endOf("denied", event.error));
    // A call that is waiting for a fallback has not ended yet.
    else if (event.type === "tool_call.failed" && event.fallbackUntil === undefined)
      this.#tell(event.toolCallId, endOf("failed", event.error));
  }

  /** Ends the current line. */
  end(): void {
    if (this.#isInLine) process.stdout.write("\n");
    this.#isInLine = false;
  }

  #write(text: string): void {
    if (text === "") return;
    process.stdout.write(toVisibleText(text));
    this.#isInLine = !text.endsWith("\n");
  }

  #tell(toolCallId: string, end: readonly string[]): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined) return;
    this.end();
    this.#output.note(callLine(call, end));
  }
}
