import type { Command } from "commander";
import { runCheck } from "./run-check.ts";

/** Adds `yagate receipt` to the program. What it runs is loaded when it runs. */
export function addReceiptCommand(program: Command): void {
  const command = program
    .command("receipt")
    .description("print what an execution did and whether its record was changed; verify a receipt that was kept")
    .argument("[executionId]", "the execution to print the receipt of, as JSON")
    .option("--text", "print it for people")
    .addHelpText("after", HELP)
    .action((executionId: string | undefined, options: { readonly text?: true }) => {
      if (executionId === undefined) return command.error("error: expected the id of an execution, or verify <file>");
      return runCheck(async () =>
        (await import("./receipt/print.ts")).printReceipt(executionId, options.text ?? false),
      );
    });
  command
    .command("verify")
    .description("verify a receipt that was kept, without the gateway where the key set was kept too")
    .argument("<file>", "the receipt as JSON; - is standard input")
    .option("--jwks <url or file>", "the workspace's key set (default: that of the gateway at YAGATE_BASE_URL)")
    .action((file: string, options: { readonly jwks?: string }) =>
      runCheck(async () => (await import("./receipt/verify.ts")).verify(file, options.jwks)),
    );
}

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; the key needs the scope executions.
A receipt whose record was changed, or that does not verify, ends the command with status 1.

Examples:
  yagate receipt exec_01jd3v0c8me9kxt3f6r2p5q7sa --text
  yagate receipt exec_01jd3v0c8me9kxt3f6r2p5q7sa > receipt.json
  yagate receipt verify receipt.json --jwks https://agents.example.com/.well-known/jwks/ws_01jd3v.json`;
