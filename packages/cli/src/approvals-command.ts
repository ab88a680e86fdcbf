import type { Command } from "commander";
import { runCommand } from "./run-command.ts";

/** Adds `yagate approvals` to the program. What it runs is loaded when it runs. */
export function addApprovalsCommand(program: Command): void {
  const command = program
    .command("approvals")
    .description("list the tool calls that wait for a person, and approve or deny them")
    .addHelpText("after", HELP);
  command
    .command("list")
    .description("print the newest approvals: those that somebody must answer, or of another status")
    .option("--status <status>", "pending, approved, denied, expired, cancelled, or all (default: pending)")
    .option("--limit <count>", "how many at most, 1 to 200 (default: 50)")
    .option("--json", "print JSON")
    .action((options) => runCommand(async () => (await import("./approvals/list.ts")).listApprovals(options)));
  command
    .command("show")
    .description("print exactly what would be sent, or was answered")
    .argument("<id>", "apr_…")
    .option("--json", "print JSON")
    .action((id: string, options) =>
      runCommand(async () => (await import("./approvals/show.ts")).showApproval(id, options)),
    );
  command
    .command("approve")
    .description("let the call run, as it was shown or with other arguments")
    .argument("<id>", "apr_…")
    .option("--parameters <json>", "arguments in the place of the model's; - reads them from standard input")
    .option("--comment <text>", "for the record")
    .action((id: string, options) =>
      runCommand(async () => (await import("./approvals/answer.ts")).approve(id, options)),
    );
  command
    .command("deny")
    .description("end the call")
    .argument("<id>", "apr_…")
    .option("--reason <text>", "what the model reads")
    .action((id: string, options) => runCommand(async () => (await import("./approvals/answer.ts")).deny(id, options)));
}

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; the key needs the scope approvals, and may not
be the one that started the execution.

Examples:
  yagate approvals list
  yagate approvals show apr_01jd3v0c8me9kxt3f6r2p5q7sa
  yagate approvals approve apr_01jd3v0c8me9kxt3f6r2p5q7sa --comment "asked for by the customer"
  yagate approvals approve apr_01jd3v0c8me9kxt3f6r2p5q7sa --parameters '{ "orderId": "ORD-7", "amount": 20 }'
  yagate approvals deny apr_01jd3v0c8me9kxt3f6r2p5q7sa --reason "this order has left already"

Characters that a reader could not see are printed as \\uXXXX.`;
