import { type JsonObject, type StreamEvent, scriptSchema, toVisibleText } from "@yagate/protocol";
import { findAgent } from "../agents/find-agent.ts";
import { checkedBody } from "../checked-body.ts";
import { gatewayClient } from "../gateway-client.ts";
import { readJson } from "../read-text.ts";

export interface ExecOptions {
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly script?: string;
}

/** Executes an agent, and prints its tool calls and what it says. Status 1: it failed or was cancelled. */
export async function execute(nameOrId: string, words: readonly string[], options: ExecOptions): Promise<void> {
  const { json = false, follow = process.stdout.isTTY === true && !json } = options;
  const client = gatewayClient();
  const script = options.script === undefined ? {} : { script: await scriptOf(options.script) };
  const { id } = await findAgent(client, nameOrId);
  const printer = follow ? new Printer() : undefined;
  const onEvent = printer === undefined ? undefined : (event: StreamEvent) => printer.print(event);
  const result = await client.agents.execute(id, { input: words.join(" "), ...script, onEvent });
  if (json) console.log(toVisibleText(JSON.stringify(result, null, 2)));
  else if (printer === undefined) {
    for (const call of result.toolCalls) console.error(callLine(call.name, call.parameters, call.status));
    if (result.output !== null) console.log(toVisibleText(result.output.text));
  } else printer.end();
  if (result.status === "completed") return;
  process.exitCode = 1;
  if (!json)
    console.error(toVisibleText(`${result.id} ${result.status}: ${result.error?.message ?? result.stopReason}`));
}

async function scriptOf(file: string) {
  return checkedBody(scriptSchema, await readJson(file));
}

function callLine(name: string, parameters: unknown, status: string): string {
  return toVisibleText(`${name} ${JSON.stringify(parameters)}: ${status}`).replaceAll("\n", "\\n");
}

/** Prints an execution as it happens: text where it comes, calls on lines of their own on the other output. */
class Printer {
  #isInLine = false;
  /** Whether the text of this turn was printed piece by piece. */
  #hasDeltas = false;
  readonly #calls = new Map<string, { readonly name: string; readonly parameters: unknown }>();

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
      this.#calls.set(event.toolCallId, { name: event.name, parameters: event.parameters as JsonObject });
    } else if (event.type === "tool_call.completed") this.#tell(event.toolCallId, "ended");
    else if (event.type === "tool_call.denied") this.#tell(event.toolCallId, "denied");
    else if (event.type === "approval.requested") this.#tell(event.toolCallId, `waits for ${event.approvalId}`);
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

  #tell(toolCallId: string, status: string): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined) return;
    this.end();
    console.error(callLine(call.name, call.parameters, status));
  }
}
