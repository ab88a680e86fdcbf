import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { cutText } from "@yagate/lib/text/cut-text";
import { removeInvisible, toVisibleLine } from "@yagate/protocol";
import { BoundedLines } from "./bounded-lines.ts";
import { environmentOf } from "./environment.ts";
import { endGroup, HAS_GROUPS, signalGroup } from "./process-group.ts";
import type { StdioServer } from "./stdio-server.ts";

/** Maximum size of a message, in bytes: 16 MiB. */
export const MAX_MESSAGE_BYTES = 16_777_216;
const MAX_LOG_LINE_BYTES = 8_192;
const MAX_SHOWN_CHARACTERS = 200;
/** The delay before the first restart doubles with each further one. */
const RESTART_MS = { first: 500, most: 30_000 };
/** A process that has run for this long restarts with the first delay. */
const STABLE_MS = 60_000;
/** Time in ms to end after SIGTERM. */
const GRACE_MS = 2_000;
/** Time in ms in which the last output of a process that has ended is read. */
const LAST_OUTPUT_MS = 500;

export interface ServerProcessListener {
  /** Called with each JSON object that the server writes. */
  readonly onMessage: (message: JsonObject) => void;
  /** Called when the process has ended, with the reason. */
  readonly onEnd: (reason: string) => void;
  /** Called when the process has been restarted after it ended unexpectedly. */
  readonly onRestart: () => void;
  /** Prints a line about the server. */
  readonly note: (text: string) => void;
}

type Child = ChildProcessWithoutNullStreams;

/** A process that runs a stdio server, and is restarted when it ends unexpectedly. */
export class ServerProcess {
  readonly #server: StdioServer;
  readonly #listener: ServerProcessListener;
  #child: Child | undefined;
  #restart: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #failures = 0;
  #isStopped = false;

  constructor(server: StdioServer, listener: ServerProcessListener) {
    this.#server = server;
    this.#listener = listener;
    this.#start();
  }

  /** The time until the process starts again, in ms; undefined while it runs. */
  get restartsInMs(): number | undefined {
    return this.#restart === undefined ? undefined : Math.max(0, this.#restart.at - performance.now());
  }

  /** Sends a message. Returns whether the process runs. */
  send(message: JsonObject): boolean {
    if (this.#child === undefined) return false;
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    return true;
  }

  /** Ends the process, with all that it started: with SIGTERM, and after 2 s with SIGKILL. It is not started again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#restart?.timer);
    const child = this.#child;
    if (child === undefined) return;
    child.stdin.end();
    await endGroup(child, GRACE_MS);
  }

  /** Ends the process immediately, for the end of this process. */
  kill(): void {
    this.#isStopped = true;
    if (this.#child !== undefined) signalGroup(this.#child, "SIGKILL");
  }

  #start(): void {
    const { command, args, cwd, env } = this.#server;
    const startedAt = performance.now();
    this.#restart = undefined;
    // In a group of its own, so that what it starts ends with it, and Ctrl+C reaches it only through this process.
    const child = spawn(command, [...args], { cwd, env: environmentOf(env), detached: HAS_GROUPS, windowsHide: true });
    this.#child = child;
    this.#read(child);
    // A process that has ended no longer reads; its end is reported below.
    child.stdin.on("error", () => undefined);
    void endOf(child).then((reason) => {
      this.#child = undefined;
      // What it started could keep a port or a file.
      signalGroup(child, "SIGKILL");
      if (!this.#isStopped) this.#restartLater(reason, performance.now() - startedAt);
      this.#listener.onEnd(reason);
    });
  }

  #restartLater(reason: string, ranMs: number): void {
    if (ranMs >= STABLE_MS) this.#failures = 0;
    const delayMs = Math.min(RESTART_MS.first * 2 ** this.#failures, RESTART_MS.most);
    this.#failures += 1;
    this.#restart = {
      timer: setTimeout(() => {
        this.#start();
        this.#listener.onRestart();
      }, delayMs),
      at: performance.now() + delayMs,
    };
    this.#listener.note(`✕ the process ${reason}; it starts again in ${delayMs / 1_000} s`);
  }

  #read(child: Child): void {
    const { onMessage, note } = this.#listener;
    const messages = new BoundedLines(MAX_MESSAGE_BYTES, {
      onLine(line) {
        const message = parseJsonOrUndefined(line);
        if (isJsonObject(message) && message["jsonrpc"] === "2.0") onMessage(message);
        else if (line.trim() !== "") note(`✕ expected JSON-RPC on standard output, found: ${shown(line)}`);
      },
      onTooLong: (line) =>
        note(`✕ expected messages of at most ${MAX_MESSAGE_BYTES} bytes, found a longer one: ${shown(line)}`),
    });
    const log = new BoundedLines(MAX_LOG_LINE_BYTES, {
      onLine: (line) => note(plainLine(line)),
      onTooLong: (line) => note(`${plainLine(line)} …`),
    });
    child.stdout.on("data", (chunk: Buffer) => messages.add(chunk));
    child.stderr.on("data", (chunk: Buffer) => log.add(chunk));
    child.stderr.on("end", () => log.end());
  }
}

/** Waits until a process has ended and what it wrote was read. Returns how it ended. */
async function endOf(child: Child): Promise<string> {
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(`could not be started: ${toVisibleLine(error.message)}`));
    child.once("exit", (status, signal) => {
      const reason = signal === null ? `ended with status ${status}` : `was ended by ${signal}`;
      // A process that it started may keep the output open.
      const timer = setTimeout(() => resolve(reason), LAST_OUTPUT_MS);
      child.once("close", () => {
        clearTimeout(timer);
        resolve(reason);
      });
    });
  });
}

/** Removes colours and control characters, which could change what the terminal shows elsewhere. */
function plainLine(line: string): string {
  return removeInvisible(stripVTControlCharacters(line)).replaceAll("\t", "  ");
}

function shown(line: string): string {
  return cutText(toVisibleLine(stripVTControlCharacters(line)), MAX_SHOWN_CHARACTERS);
}
