import type { Command } from "commander";
import { keepErrorInSight, runCheck } from "./run-check.ts";
import { add, addSecretSources, SECRET_HELP } from "./signing-secrets/secret-sources.ts";

/** Adds `yagate verify` to the program. What it runs is loaded when it runs. */
export function addVerifyCommand(program: Command): void {
  const command = program
    .command("verify")
    .description("say whether a saved request is a genuine tool call, and if not, why")
    .argument(
      "[request]",
      "file with the request: HTTP, HAR, or the gateway's record of an attempt; - is standard input",
    )
    .option("-H, --header <line>", 'a header of the request, as "Name: value"; may be repeated', add)
    .option("--body-file <file>", "its body, byte for byte; - is standard input")
    .option("--entry <number>", "which request of a HAR file, from 1")
    .option(
      "--attempt <id>",
      "the attempt (att_…) that the gateway sent, read from YAGATE_BASE_URL with YAGATE_API_KEY",
    );
  addSecretSources(command)
    .option("--audience <url>", "the handler's URL as saved with the tool: refuse a call for another one")
    .option("--tolerance <seconds>", "how old or how far ahead a call may be (default: 300)")
    .option("--at <time>", 'judge its age at this moment: "now", or such as 2026-01-15T18:02:11Z')
    .option("--json", "print the report as JSON")
    .addHelpText("after", HELP)
    .action((request: string | undefined, options) =>
      runCheck(async () => (await import("./verify/command.ts")).verify(request, options)),
    );
  keepErrorInSight(command);
}

const HELP = `
${SECRET_HELP}

The age of a saved request is told and not judged, unless --at names a moment, or the file says when it was received.

Examples:
  yagate verify request.http
  yagate verify -H "X-YA-Signature: $SIGNATURE" --body-file body.json --secret-file secret.txt
  yagate verify capture.har --secret-env OLD_SECRET --secret-env NEW_SECRET --json
  yagate verify request.http --attempt att_01jd3v0c8me9kxt3f6r2p5q7sa

Exit status: 0 accepted, 1 refused, 2 could not be judged (nothing to read, no secret or none that is one, a wrong option).`;
