import type { Yagate } from "@yagate/client";
import { YagateError } from "@yagate/protocol";
import { durationOf } from "../duration.ts";
import { processTerminal, type Terminal } from "../signing-secrets/read-hidden.ts";
import type { GlobalOptions } from "./globals.ts";
import { Output } from "./output.ts";
import { type Connection, resolveConnection, resolveUrl } from "./profiles/connection.ts";

/** The parts that commands share: output, prompts and the client. */
export class Invocation {
  readonly output: Output;
  readonly #globals: GlobalOptions;

  constructor(globals: GlobalOptions) {
    this.#globals = globals;
    this.output = new Output(globals);
  }

  get globals(): GlobalOptions {
    return this.#globals;
  }

  /**
   * The time limit of the command; undefined for no limit.
   *
   * @throws YagateError `INVALID_REQUEST` if it is invalid.
   */
  get timeoutMs(): number | undefined {
    return this.#globals.timeout === undefined ? undefined : durationOf(this.#globals.timeout, "--timeout");
  }

  /** Whether the user confirmed everything in advance. */
  get isAgreed(): boolean {
    return this.#globals.yes === true;
  }

  /** Returns the terminal; `--no-input` disables its prompts. */
  terminal(): Terminal {
    const terminal = processTerminal();
    return this.#globals.input === false ? { ...terminal, isInteractive: false } : terminal;
  }

  /**
   * Asks the user before something is deleted. Without a terminal, running the command counts as the confirmation.
   *
   * @throws YagateError `CANCELLED` unless the user enters yes, `INVALID_REQUEST` on a terminal with `--no-input`.
   */
  async confirm(question: string): Promise<void> {
    const terminal = processTerminal();
    if (this.isAgreed || !terminal.isInteractive) return;
    if (this.#globals.input === false) {
      throw new YagateError("INVALID_REQUEST", "expected --yes, because --no-input prevents the prompt", {
        hint: "Nothing was changed. --yes confirms in advance.",
      });
    }
    const { askToConfirm } = await import("./confirm.ts");
    await askToConfirm(question, terminal);
  }

  /**
   * Creates a client for the gateway.
   *
   * @throws YagateError `NOT_CONFIGURED`, `INVALID_REQUEST`.
   */
  async client(): Promise<Yagate> {
    const { gatewayClient } = await import("./gateway-client.ts");
    return gatewayClient(await this.connection(), this.#globals.debug === true);
  }

  /**
   * Returns the gateway's URL and the key.
   *
   * @throws YagateError `NOT_CONFIGURED`, `INVALID_REQUEST`.
   */
  connection(): Promise<Connection> {
    return resolveConnection(this.#globals, process.env);
  }

  /** Returns the gateway's URL, for commands that need no key; undefined if it is not configured. */
  gatewayUrl(): Promise<string | undefined> {
    return resolveUrl(this.#globals, process.env);
  }
}
