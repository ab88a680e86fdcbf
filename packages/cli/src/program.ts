import { Command } from "commander";
import { addAgentsCommand } from "./agents-command.ts";
import { addApprovalsCommand } from "./approvals-command.ts";
import { addAuditCommand } from "./audit-command.ts";
import { commandName } from "./command-name.ts";
import { addConformanceCommand } from "./conformance-command.ts";
import { addEgressCommand } from "./egress-command.ts";
import { addExecCommand } from "./exec-command.ts";
import { addExecutionsCommand } from "./executions-command.ts";
import { addIntegrationsCommand } from "./integrations-command.ts";
import { addKeysCommand } from "./keys-command.ts";
import { packageVersion } from "./package-version.ts";
import { addReceiptCommand } from "./receipt-command.ts";
import { runCommand } from "./run-command.ts";
import { addSecretCommand } from "./secret-command.ts";
import { addToolkitsCommand } from "./toolkits-command.ts";
import { addToolsCommand } from "./tools-command.ts";
import { addUsageCommand } from "./usage-command.ts";
import { addVerifyCommand } from "./verify-command.ts";

const WRONG_COMMAND_LINE = 2;

/** The `yagate` command: what it understands, and its help. The gateway is loaded only when one is started. */
export function createProgram(): Command {
  const program = new Command("yagate")
    .description("Run LLM agents whose tools are signed webhooks.")
    .version(packageVersion())
    .showHelpAfterError()
    // Examples are there to be copied.
    .configureOutput({
      writeOut: (text) => process.stdout.write(text.replaceAll(/^( {2}(?:\w+=\S+ )?)yagate /gm, `$1${commandName()} `)),
    })
    // 1 is what a check says that was made and failed. The commands below inherit it.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_COMMAND_LINE));
  program
    .command("dev")
    .description("start a gateway for this machine: it makes its keys and lets tools live on loopback addresses")
    .option("-p, --port <port>", "port to listen on (default: 4820, or the next free one)")
    .option("-d, --data-dir <folder>", "where the journal is kept (default: ./.yagate)")
    .addHelpText("after", DEV_HELP)
    .action((options) => runCommand(async () => (await import("./dev.ts")).dev(options)));
  program
    .command("serve")
    .description("start a gateway from the environment, which must have YAGATE_API_KEY and YAGATE_MASTER_KEYS")
    .addHelpText("after", SERVE_HELP)
    .action(() => runCommand(async () => (await import("./serve.ts")).serve()));
  program
    .command("migrate")
    .description("take the database at DATABASE_URL to this version's schema; gateways may run meanwhile")
    .option("--finish", "no gateway of an older version is left: write what it could not read")
    .action(({ finish }) => runCommand(async () => (await import("./migrate.ts")).migrate({ isLast: finish })));
  program
    .command("backup")
    .description("copy the data directory into a folder; a gateway may run on it meanwhile")
    .argument("<folder>", "new or empty; a gateway can be started on it")
    .option("-d, --data-dir <folder>", "what to copy (default: YAGATE_DATA_DIR, or ./.yagate)")
    .option("--with-master-key", "copy master.key too: whoever gets the folder can then read every secret in it")
    .action((folder, options) => runCommand(async () => (await import("./backup.ts")).backup(folder, options)));
  // The gateway knows what it reads. It is asked just before one of its commands is parsed, whose help shows the list.
  program.hook("preSubcommand", async (_program, subcommand) => {
    if (!["dev", "serve"].includes(subcommand.name())) return;
    subcommand.addHelpText("after", (await import("./variables-help.ts")).variablesHelp());
  });
  addSecretCommand(program);
  addIntegrationsCommand(program);
  addToolsCommand(program);
  addToolkitsCommand(program);
  addAgentsCommand(program);
  addExecCommand(program);
  addExecutionsCommand(program);
  addApprovalsCommand(program);
  addReceiptCommand(program);
  addKeysCommand(program);
  addAuditCommand(program);
  addUsageCommand(program);
  addVerifyCommand(program);
  addConformanceCommand(program);
  addEgressCommand(program);
  return program;
}

const DEV_HELP = `
Without YAGATE_API_KEY every start makes a new key; without YAGATE_MASTER_KEYS a key file is kept in the data directory.`;

const SERVE_HELP = `
Make the two once and keep them where your secrets are:
  export YAGATE_API_KEY="yk_$(openssl rand -hex 32)"
  export YAGATE_MASTER_KEYS="k1:$(openssl rand -base64 32)"`;
