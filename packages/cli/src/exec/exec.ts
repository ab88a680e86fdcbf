import { NotFinishedError, type Waiting } from "@yagate/client";
import { partialLimitsSchema, type StreamEvent, scriptSchema, toVisibleLine, toVisibleText } from "@yagate/protocol";
import { findAgent } from "../agents/find-agent.ts";
import { checkedBody } from "../checked-body.ts";
import { durationOf } from "../duration.ts";
import { gatewayClient } from "../gateway-client.ts";
import { readJson } from "../read-text.ts";
import { tellEnd } from "./tell-end.ts";
import { tellWaiting } from "./tell-waiting.ts";

export interface ExecOptions {
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly script?: string;
  readonly timeout?: string;
  readonly maxCost?: string;
  readonly maxTokens?: string;
}

const NOT_FINISHED = 5;

/**
 * Executes an agent, and prints its tool calls and what it says. Status 1: it failed or was cancelled; 5: it has not ended
 * in the time that the caller waits.
 */
export async function execute(nameOrId: string, words: readonly string[], options: ExecOptions): Promise<void> {
  const { json = false, follow = process.stdout.isTTY === true && !json } = options;
  const client = gatewayClient();
  const script = options.script === undefined ? {} : { script: await scriptOf(options.script) };
  const maxWaitMs = options.timeout === undefined ? undefined : durationOf(options.timeout, "--timeout");
  const limits = limitsOf(options);
  const { id } = await findAgent(client, nameOrId);
  const printer = follow ? new Printer() : undefined;
  const onEvent = (event: StreamEvent) => {
    if (event.type === "execution.started" && !json) console.error(event.executionId);
    printer?.print(event);
  };
  const onWaiting = (waiting: Waiting) => {
    printer?.end();
    console.error(tellWaiting(waiting));
  };
  const request = { input: words.join(" "), ...script, ...limits, maxWaitMs, onEvent, onWaiting };
  const result = await client.agents.execute(id, request).catch((error: unknown) => {
    if (!NotFinishedError.is(error)) throw error;
    printer?.end();
    console.error(toVisibleLine(`${error.message}; it goes on`));
    process.exitCode = NOT_FINISHED;
  });
  if (result === undefined) return;
  if (json) console.log(toVisibleText(JSON.stringify(result, null, 2)));
  else if (printer === undefined) {
    for (const { name, parameters, status, error } of result.toolCalls) {
      console.error(callLine({ name, parameters }, endOf(status, error)));
    }
    if (result.output !== null) console.log(toVisibleText(result.output.text));
  } else printer.end();
  if (!json) for (const line of tellEnd(result, options.maxCost !== undefined)) console.error(line);
  if (result.status !== "completed") process.exitCode = 1;
}

/** @throws YagateError `INVALID_REQUEST`. */
function limitsOf({ maxCost, maxTokens }: ExecOptions) {
  if (maxCost === undefined && maxTokens === undefined) return {};
  const limits = {
    ...(maxCost === undefined ? {} : { maxCostUsd: Number(maxCost || Number.NaN) }),
    ...(maxTokens === undefined ? {} : { maxTotalTokens: Number(maxTokens || Number.NaN) }),
  };
  return { limits: checkedBody(partialLimitsSchema, limits) };
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

/** As `failed TIMEOUT: the tool did not answer within 400 ms`, and the next step: the hint is for a model. */
function endOf(status: string, error: CallError | null | undefined): readonly string[] {
  if (error == null || status === "completed") return [status];
  const next = error.developerMessage ?? error.hint;
  return [`${status} ${error.code}: ${error.message}`, ...(next === undefined ? [] : [next])];
}

/** Prints an execution as it happens: text where it comes, calls on lines of their own on the other output. */
class Printer {
  #isInLine = false;
  /** Whether the text of this turn was printed piece by piece. */
  #hasDeltas = false;
  readonly #calls = new Map<string, Call>();

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
    // One that is held for its caller has not ended yet.
    else if (event.type === "tool_call.failed" && event.fallbackUntil === undefined)
      this.#tell(event.toolCallId, endOf("failed", event.error));
  }

  /** Ends the line that is being written. */
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
    console.error(callLine(call, end));
  }
}
