import type { Yagate } from "@yagate/client";
import { durationOf } from "../duration.ts";
import { processTerminal, type Terminal } from "../signing-secrets/read-hidden.ts";
import type { GlobalOptions } from "./globals.ts";
import { Output } from "./output.ts";
import { resolveConnection, resolveUrl } from "./profiles/connection.ts";

/** What commands share: where they print, whom they ask, which gateway they talk to. */
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

  /** How long the command may take; undefined: as long as it takes. @throws YagateError `INVALID_REQUEST`. */
  get timeoutMs(): number | undefined {
    return this.#globals.timeout === undefined ? undefined : durationOf(this.#globals.timeout, "--timeout");
  }

  /** Whether the person has agreed beforehand to everything that a command would ask. */
  get isAgreed(): boolean {
    return this.#globals.yes === true;
  }

  /** The terminal, on which nobody is asked anything with `--no-input`. */
  terminal(): Terminal {
    const terminal = processTerminal();
    return this.#globals.input === false ? { ...terminal, isInteractive: false } : terminal;
  }

  /** Asks before something is lost; without a terminal the command line itself is the decision. */
  async confirm(question: string): Promise<void> {
    const terminal = this.terminal();
    if (this.isAgreed || !terminal.isInteractive) return;
    const { askToConfirm } = await import("./confirm.ts");
    await askToConfirm(question, terminal);
  }

  /** A client of the gateway. @throws YagateError `NOT_CONFIGURED`, `INVALID_REQUEST`. */
  async client(): Promise<Yagate> {
    const { gatewayClient } = await import("./gateway-client.ts");
    return gatewayClient(await resolveConnection(this.#globals, process.env), this.#globals.debug === true);
  }

  /** The gateway's URL alone, for what needs no key; undefined: nothing names one. */
  gatewayUrl(): Promise<string | undefined> {
    return resolveUrl(this.#globals, process.env);
  }
}
