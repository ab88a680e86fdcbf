import type { Command } from "commander";
import { runCheck } from "./run-check.ts";

interface CheckOptions {
  readonly allowDomain?: readonly string[];
  readonly workspace?: string;
  readonly json?: true;
}

/** Adds `yagate egress` to the program. What it runs is loaded when it runs. */
export function addEgressCommand(program: Command): void {
  const egress = program.command("egress").description("say where a gateway of this environment would send requests");
  egress
    .command("check")
    .description("say whether requests to a URL would leave, step by step; nothing is connected to")
    .argument("<url>", "the URL of a handler, or of a request of a tool")
    .option("--allow-domain <domain>", "allow this host alone, or *.example.com for those below; may be repeated", add)
    .option("--workspace <id>", "use the networks of this workspace; those of the workspace default otherwise")
    .option("--json", "print the decision as JSON")
    .addHelpText("after", HELP)
    .action((url: string, options: CheckOptions) =>
      runCheck(async () => (await import("./egress/check.ts")).checkEgress(url, options)),
    );
}

function add(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}

const HELP = `
The policy is that of yagate serve in this environment: YAGATE_ALLOW_CIDRS, YAGATE_WORKSPACE_CIDRS, YAGATE_DENY_CIDRS,
YAGATE_ALLOW_PORTS and YAGATE_PUBLIC_URL are read, and YAGATE_HOST and YAGATE_PORT, where the gateway itself is. Names are resolved by this machine, which may know others than the gateway's does.

Examples:
  yagate egress check https://api.example.com/v1/orders
  yagate egress check https://api.example.com/ --allow-domain api.example.com --allow-domain '*.acme.com'
  yagate egress check http://orders.internal:8080/ --workspace ws_01k9e5t8b8fxhv3c4n5p6q7r8s
  YAGATE_ALLOW_CIDRS=10.0.0.0/8 yagate egress check http://orders.internal:8080/ --json

Exit status: 0 allowed, 1 blocked, 2 could not be judged (a setting or an option is wrong).`;
