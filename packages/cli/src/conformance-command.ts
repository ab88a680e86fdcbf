import type { Command } from "commander";
import { keepErrorInSight, runCheck } from "./run-check.ts";
import { addSecretSources, SECRET_HELP } from "./signing-secrets/secret-sources.ts";

/** Adds `yagate conformance` to the program. What it runs is loaded when it runs. */
export function addConformanceCommand(program: Command): void {
  const command = program
    .command("conformance")
    .description("attack a handler as a gateway and a stranger would, and say where it does not hold the contract")
    .argument("[url]", "the handler's URL, such as http://127.0.0.1:3000/tools")
    .option("--tool <name>", "a tool of the handler that does no harm: it is run for real, some dozens of times")
    .option("--parameters <json>", "parameters that the tool accepts (default: {})")
    .option("--parameters-file <file>", "the same from a file");
  addSecretSources(command)
    .option(
      "--previous-secret-env <name>",
      "variable that holds a second secret that the handler accepts, as in a rotation",
    )
    .option("--previous-secret-file <file>", "the same from a file")
    .option("--audience <url>", "the handler's URL as saved with its tools, if it checks the audience")
    .option("--tolerance <seconds>", "how old a call may be for this handler (default: 300)")
    .option(
      "--counter-url <url>",
      "a URL that says how often the tool has run, for tools whose result is always the same",
    )
    .option("--wrong-parameters <json>", "parameters that the tool must refuse")
    .option("--flaky-tool <name>", "a tool that fails with retryable: true at attempt 1 and succeeds at attempt 2")
    .option("--flaky-parameters <json>", "its parameters (default: {})")
    .option("--require-signed-answers", "make signed answers a requirement, as requireSignedAnswer does")
    .option(
      "--slow-body <seconds>",
      "how long a body may trickle in before the server must have ended it (default: tried for 5 s, not judged)",
    )
    .option("--answer-timeout <seconds>", "how long a case waits for an answer (default: 5)")
    .option("--timeout <seconds>", "the time of the whole run (default: 120)")
    .option("--allow-host <host>", "attack this host although it is not this machine")
    .option("--only <ids>", "run these cases alone, separated by commas")
    .option("--list", "print the cases and send nothing")
    .option("--explain <case>", "print what a case asks, why, and what to do when it fails; send nothing")
    .option("--strict", "fail when a required case could not be judged")
    .option("--verbose", "print the cases that passed, too")
    .option("--json", "print the report as JSON")
    .option("--junit <file>", "write the report as JUnit XML, too")
    .addHelpText("after", HELP)
    .action((url: string | undefined, options) =>
      runCheck(async () => (await import("./conformance/command.ts")).conformance(url, options)),
    );
  keepErrorInSight(command);
}

const HELP = `
${SECRET_HELP}

It really calls the tool, and sends nothing to any other host. Never run it against production.

Examples:
  yagate conformance http://127.0.0.1:3000/tools --tool ping
  yagate conformance http://localhost:3000/tools --tool lookup_order --parameters '{ "orderId": "ORD-12345" }' --junit report.xml
  yagate conformance https://staging.example.com/tools --tool ping --allow-host staging.example.com
  yagate conformance http://127.0.0.1:3000/tools --tool ping --only replay,duplicates-at-once --verbose
  yagate conformance --explain duplicates-at-once

Exit status: 0 nothing required failed, 1 something required failed, 2 it could not be run (or not to its end).`;
