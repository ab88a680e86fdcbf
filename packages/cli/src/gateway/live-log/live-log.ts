import type { FailedRequest, ToolSourceReport } from "@yagate/gateway";
import type { ExecutionEvent } from "@yagate/protocol";
import { LRUCache } from "lru-cache";
import type { Output } from "../../frame/output.ts";
import { describeLogLine } from "./describe-log-line.ts";
import { describeRequest } from "./describe-request.ts";
import { describeSource } from "./describe-source.ts";
import { EventNarrator } from "./event-narrator.ts";
import { formatEntry } from "./format-entry.ts";
import type { LogEntry } from "./log-entry.ts";

const MAX_AGENTS = 1_000;
const MAX_SOURCES = 1_000;

interface LiveLogOptions {
  readonly output: Output;
  /** Returns the name of an agent; undefined if the key of this command cannot read it. */
  readonly agentNameOf: (agentId: string) => Promise<string | undefined>;
}

/** Prints the events of executions as they happen. */
export class LiveLog {
  readonly #options: LiveLogOptions;
  readonly #narrator = new EventNarrator();
  readonly #agentNames = new LRUCache<string, string>({ max: MAX_AGENTS });
  /** The failure that was printed last about each tool source, unless a change followed it. */
  readonly #sourceFailures = new LRUCache<string, string>({ max: MAX_SOURCES });
  #printed: Promise<void> = Promise.resolve();
  #failuresOnly = false;

  constructor(options: LiveLogOptions) {
    this.#options = options;
  }

  /** Adds an event. Lines keep the order of the calls. */
  readonly add = (event: ExecutionEvent): void => {
    this.#printed = this.#printed.then(() => this.#print(event));
  };

  /** Adds a report on a tool source, unless it repeats the failure that was reported last. */
  readonly addSource = (report: ToolSourceReport): void => {
    const { output } = this.#options;
    this.#printed = this.#printed.then(() => {
      if (output.isJson) return output.line({ type: "source", report }, () => "");
      const entry = describeSource(report);
      if (report.type === "changed") this.#sourceFailures.delete(entry.id);
      else if (this.#sourceFailures.get(entry.id) === entry.text) return;
      else this.#sourceFailures.set(entry.id, entry.text);
      this.#printEntry(entry);
    });
  };

  /** Adds a request that failed. */
  readonly addRequest = (request: FailedRequest): void => {
    const { output } = this.#options;
    this.#printed = this.#printed.then(() => {
      if (output.isJson) return output.line({ type: "request", request }, () => "");
      const entry = describeRequest(request);
      if (entry !== undefined) this.#printEntry(entry);
    });
  };

  /** Adds a line of the gateway's own log. */
  readonly addLogLine = (line: string): void => {
    const { output } = this.#options;
    this.#printed = this.#printed.then(() => {
      const entry = output.isJson ? undefined : describeLogLine(line);
      if (entry === undefined) return output.log(() => line.trimEnd());
      // With `--quiet`, the warnings and errors of the gateway itself are the only lines.
      if (entry.kind === "failed") return output.line(entry, () => formatted(entry));
      this.#printEntry(entry);
    });
  };

  /** Resolves when all events that were added so far have been printed. */
  get printed(): Promise<void> {
    return this.#printed;
  }

  /** Switches between all lines, and only failures and waits. Returns whether only those are printed now. */
  toggleFailuresOnly(): boolean {
    this.#failuresOnly = !this.#failuresOnly;
    return this.#failuresOnly;
  }

  async #print(event: ExecutionEvent): Promise<void> {
    const { output } = this.#options;
    const entry = this.#narrator.describe(event, await this.#agentName(event));
    if (output.isJson) return output.line({ type: "event", event }, () => "");
    if (entry !== undefined) this.#printEntry(entry);
  }

  #printEntry(entry: LogEntry): void {
    const { output } = this.#options;
    if (this.#failuresOnly && (entry.kind === "step" || entry.kind === "done")) return;
    output.log(() => formatted(entry));
  }

  async #agentName(event: ExecutionEvent): Promise<string> {
    if (event.type !== "execution.started" || this.#options.output.isJson) return "";
    const { agentId } = event;
    const known = this.#agentNames.get(agentId);
    if (known !== undefined) return known;
    const name = (await this.#options.agentNameOf(agentId).catch(() => undefined)) ?? agentId;
    this.#agentNames.set(agentId, name);
    return name;
  }
}

/** Cuts the entry to the width of the terminal. If the output is not a terminal, nothing is cut. */
function formatted(entry: LogEntry): string {
  return formatEntry(entry, process.stdout.isTTY === true ? process.stdout.columns : undefined);
}
