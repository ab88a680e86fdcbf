import type { Command } from "commander";
import { runCommand } from "./run-command.ts";

/** Adds `yagate tools` to the program. What it runs is loaded when it runs. */
export function addToolsCommand(program: Command): void {
  const command = program
    .command("tools")
    .description("make, test and finalize tools that any agent of the workspace can have")
    .addHelpText("after", HELP);
  addReading(command);
  addSaving(command);
  addLifecycle(command);
  addToolkits(command);
}

function addReading(command: Command): void {
  command
    .command("list")
    .description("print the workspace's tools, newest first")
    .option("--status <status>", "draft, configured, tested, validated or created")
    .option("--kind <kind>", "handler, composed or rest")
    .option("--toolkit <id>", "those of a toolkit, kit_…")
    .option("--json", "print JSON")
    .action((options) => runCommand(async () => (await import("./tools/show.ts")).listTools(options)));
  command
    .command("show")
    .description("print one tool as JSON")
    .argument("<tool>", "its name, or tool_…")
    .option("--test", "print its last test instead, with the whole answer")
    .action((tool: string, options) =>
      runCommand(async () => (await import("./tools/show.ts")).showTool(tool, options)),
    );
}

function addSaving(command: Command): void {
  command
    .command("create")
    .description("create a tool of what a file says")
    .argument("<file>", "JSON as POST /v1/tools takes it, or a definition alone; - reads standard input")
    .option("--draft", "keep a REST tool although parts of it are missing")
    .addHelpText("after", CREATE_HELP)
    .action((file: string, options) =>
      runCommand(async () => (await import("./tools/save.ts")).createTool(file, options)),
    );
  command
    .command("update")
    .description("change what a file gives of a tool")
    .argument("<tool>", "its name, or tool_…")
    .argument("<file>", "JSON as PATCH /v1/tools/:id takes it, or a definition alone; - reads standard input")
    .action((tool: string, file: string) =>
      runCommand(async () => (await import("./tools/save.ts")).updateTool(tool, file)),
    );
  command
    .command("delete")
    .description("archive a tool: agents that have it keep their version of it")
    .argument("<tool>", "its name, or tool_…")
    .action((tool: string) => runCommand(async () => (await import("./tools/save.ts")).deleteTool(tool)));
}

function addLifecycle(command: Command): void {
  command
    .command("test")
    .description("call a tool once, for real")
    .argument("<tool>", "its name, or tool_…")
    .option("--parameters <json>", "the arguments (default: none)")
    .option("--confirm", "send it although its method is not GET")
    .action((tool: string, options) =>
      runCommand(async () => (await import("./tools/lifecycle.ts")).testTool(tool, options), { confirm: "--confirm" }),
    );
  command
    .command("validate")
    .description("say that a tested tool is as it should be")
    .argument("<tool>", "its name, or tool_…")
    .action((tool: string) => runCommand(async () => (await import("./tools/lifecycle.ts")).validateTool(tool)));
  command
    .command("finalize")
    .description("make a validated tool one that agents can use")
    .argument("<tool>", "its name, or tool_…")
    .action((tool: string) => runCommand(async () => (await import("./tools/lifecycle.ts")).finalizeTool(tool)));
  command
    .command("preview")
    .description("print exactly what a call would send, and send nothing")
    .argument("<tool>", "its name, or tool_…")
    .option("--parameters <json>", "the arguments (default: none)")
    .option("--agent <agent>", "look among the tools of this agent: its name, or agt_…")
    .action((tool: string, options) =>
      runCommand(async () => (await import("./tools/lifecycle.ts")).previewTool(tool, options)),
    );
}

function addToolkits(command: Command): void {
  withToolkit(
    command
      .command("import")
      .description("make a draft of each operation of an OpenAPI 3 document")
      .argument("<file>", "JSON or YAML, with the files below its directory that it refers to; - reads standard input")
      .option("--operation <id>", "only this one, or as 'GET /orders/{id}'; may be repeated", add)
      .option("--tag <tag>", "only operations with this tag; may be repeated", add)
      .option("--path <path>", "only operations of this path, or as '/orders/*'; may be repeated", add)
      .option("--list", "print the operations, and make nothing")
      .option("--json", "with --list: print JSON")
      .option("--credential-for <scheme=name>", "the secret for tools that need this scheme; may be repeated", add)
      .option("--server <url>", "where the API is, if the document does not say so"),
  ).action((file: string, options) =>
    runCommand(async () => (await import("./tools/import.ts")).importTools(file, options)),
  );
  command
    .command("templates")
    .description("print the ready toolkits for public APIs")
    .option("--json", "print JSON")
    .action((options) => runCommand(async () => (await import("./tools/install.ts")).listTemplates(options)));
  withToolkit(
    command
      .command("install")
      .description("make the tools of a template")
      .argument("<template>", "an id of yagate tools templates")
      .option("--tool <name>", "only this one; may be repeated", add)
      .option("--values <json>", "values to fix, by the names of parameters"),
  ).action((template: string, options) =>
    runCommand(async () => (await import("./tools/install.ts")).installTemplate(template, options)),
  );
}

function withToolkit(command: Command): Command {
  return command
    .option("--credential <name>", "the secret that their requests are sent with")
    .option("--toolkit <name>", "what to call the toolkit")
    .option("--prefix <prefix>", "put before the name of each tool, as acme_");
}

function add(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}

const CREATE_HELP = `
The file holds the definition of a REST tool, a handler or a composed tool, and what the workspace says of it:
  {
    "definition": {
      "rest": {
        "name": "get_weather",
        "description": "The weather of a city.",
        "method": "GET",
        "url": "https://api.weather.example/now",
        "parameters": [{ "name": "city", "in": "query", "type": "string", "required": true }],
        "credential": "WEATHER_KEY"
      }
    },
    "slots": 1
  }
or the definition alone: { "rest": { … } }.`;

const HELP = `
The gateway and the key are read from YAGATE_BASE_URL and YAGATE_API_KEY; the key needs the scope tools.

Examples:
  yagate tools create weather.json
  yagate tools preview get_weather --parameters '{ "city": "Lisbon" }'
  yagate tools test get_weather --parameters '{ "city": "Lisbon" }'
  yagate tools validate get_weather
  yagate tools finalize get_weather
  yagate tools import openapi.yaml --list --tag orders
  yagate tools import openapi.yaml --operation getOrder --credential SHOP_KEY

Exit status: 0 done, 1 the call of a test failed, 2 refused.`;
