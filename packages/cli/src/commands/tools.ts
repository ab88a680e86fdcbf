import type { CommandSpec, OptionSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const TOOL = { name: "<tool>", text: "name of the tool, or tool_…" };
const SCOPES = ["tools"];
const PARAMETERS: OptionSpec = { flags: "--parameters <json>", text: "arguments of the call (default: {})" };

const TOOLKIT: readonly OptionSpec[] = [
  { flags: "--credential <name>", text: "secret for the tools' requests" },
  { flags: "--toolkit <name>", text: "name of the toolkit" },
  { flags: "--prefix <prefix>", text: "prefix of each tool's name, such as acme_" },
];

const loadSave = () => import("../tools/save.ts");
const loadLifecycle = () => import("../tools/lifecycle.ts");

const READING: readonly CommandSpec[] = [
  {
    name: "list",
    summary: "List the tools of the workspace, newest first",
    options: [
      { flags: "--status <status>", text: "draft, configured, tested, validated or created" },
      { flags: "--kind <kind>", text: "handler, composed or rest" },
      { flags: "--toolkit <id>", text: "tools of this toolkit, kit_…" },
    ],
    examples: ["yagate tools list", "yagate tools list --status created --json"],
    scopes: SCOPES,
    output: { schema: "ToolList" },
    run: async ({ open, options }) => (await import("../tools/show.ts")).listTools(await open(), options),
  },
  {
    name: "show",
    summary: "Show one tool as JSON",
    arguments: [TOOL],
    options: [{ flags: "--test", text: "show its latest test instead, with the complete response" }],
    examples: ["yagate tools show get_weather", "yagate tools show get_weather --test"],
    notes: ["For a draft, problems lists what must be corrected before the tool can be tested."],
    scopes: SCOPES,
    output: { schema: "ToolOrTest" },
    run: async ({ args: [tool = ""], open, options }) =>
      (await import("../tools/show.ts")).showTool(await open(), tool, options),
  },
];

const SAVING: readonly CommandSpec[] = [
  {
    name: "create",
    summary: "Create a tool from a file",
    arguments: [{ name: "<file>", text: "JSON, as for POST /v1/tools, or only a definition; - reads standard input" }],
    options: [{ flags: "--draft", text: "save a REST tool even if parts of it are missing" }],
    examples: ["yagate tools create weather.json"],
    notes: [
      'A file with only a definition contains { "rest": { … } }, or the definition of a handler tool or a composed tool.',
      "The command prints what must be corrected before a draft can be tested. Warnings go to standard error.",
    ],
    scopes: SCOPES,
    output: { schema: "Tool" },
    run: async ({ args: [file = ""], open, options }) => (await loadSave()).createTool(await open(), file, options),
  },
  {
    name: "update",
    summary: "Update a tool with the fields in a file",
    arguments: [
      TOOL,
      { name: "<file>", text: "JSON, as for PATCH /v1/tools/:id, or only a definition; - reads standard input" },
    ],
    examples: ["yagate tools update get_weather slots.json"],
    scopes: SCOPES,
    output: { schema: "Tool" },
    run: async ({ args: [tool = "", file = ""], open }) => (await loadSave()).updateTool(await open(), tool, file),
  },
  {
    name: "delete",
    summary: "Archive a tool: agents that use it keep their version of it",
    arguments: [TOOL],
    examples: ["yagate tools delete get_weather"],
    scopes: SCOPES,
    output: { schema: "Deletion" },
    run: async ({ args: [tool = ""], open }) => (await loadSave()).deleteTool(await open(), tool),
  },
];

const LIFECYCLE: readonly CommandSpec[] = [
  {
    name: "test",
    summary: "Test a tool with one real call",
    arguments: [TOOL],
    options: [
      PARAMETERS,
      { flags: "--confirm", text: "send the request even if its method is not GET; --yes has the same effect" },
    ],
    examples: [`yagate tools test get_weather --parameters '{ "city": "Lisbon" }'`],
    notes: ["If the call fails, the output includes its hint and its developerMessage."],
    scopes: SCOPES,
    statuses: { 0: "The call succeeded.", 1: "The call failed." },
    output: { schema: "Tool" },
    fieldOptions: { confirm: "--confirm" },
    run: async ({ args: [tool = ""], open, options }) => (await loadLifecycle()).testTool(await open(), tool, options),
  },
  {
    name: "validate",
    summary: "Record that a tested tool works correctly",
    arguments: [TOOL],
    examples: ["yagate tools validate get_weather"],
    scopes: SCOPES,
    output: { schema: "Tool" },
    run: async ({ args: [tool = ""], open }) => (await loadLifecycle()).validateTool(await open(), tool),
  },
  {
    name: "finalize",
    summary: "Make a validated tool available to agents",
    arguments: [TOOL],
    examples: ["yagate tools finalize get_weather"],
    scopes: SCOPES,
    output: { schema: "Tool" },
    run: async ({ args: [tool = ""], open }) => (await loadLifecycle()).finalizeTool(await open(), tool),
  },
  {
    name: "preview",
    summary: "Print exactly what a call would send, without sending it",
    arguments: [TOOL],
    options: [
      PARAMETERS,
      {
        flags: "--agent <agent>",
        text: "use the tools of this agent: agt_…, or its name, which needs the scope agents",
      },
    ],
    examples: [`yagate tools preview get_weather --parameters '{ "city": "Lisbon" }'`],
    scopes: SCOPES,
    output: { schema: "ToolPreview" },
    run: async ({ args: [tool = ""], open, options }) =>
      (await loadLifecycle()).previewTool(await open(), tool, options),
  },
];

const TOOLKITS: readonly CommandSpec[] = [
  {
    name: "import",
    summary: "Create a draft tool for each operation of an OpenAPI 3 document",
    arguments: [
      {
        name: "<file>",
        text: "the document, as JSON or YAML; also reads files in its directory that it refers to; - reads standard input",
      },
    ],
    options: [
      {
        flags: "--operation <id>",
        text: "only this operation, by its id or as 'GET /orders/{id}'; may be repeated",
        isRepeatable: true,
      },
      { flags: "--tag <tag>", text: "only operations with this tag; may be repeated", isRepeatable: true },
      {
        flags: "--path <path>",
        text: "only operations with this path, or with '/orders/*' the paths under it; may be repeated",
        isRepeatable: true,
      },
      { flags: "--list", text: "print the operations without creating anything" },
      {
        flags: "--credential-for <scheme=name>",
        text: "secret for tools that need this security scheme; may be repeated",
        isRepeatable: true,
      },
      { flags: "--server <url>", text: "URL of the API, if the document does not contain it" },
      ...TOOLKIT,
    ],
    examples: [
      "yagate tools import openapi.yaml --list --tag orders",
      "yagate tools import openapi.yaml --operation getOrder --credential SHOP_KEY",
    ],
    notes: [
      "For each missing secret, the commands that set it up are printed to standard error.",
      "If tools with the names of the operations exist, nothing is imported. The command prints how they differ, and the commands that make them follow the document, and exits with status 1.",
      "The tools are copies: they do not follow the document. yagate sources add <file> --kind openapi adds a tool source, which does.",
    ],
    scopes: SCOPES,
    output: { schema: "ImportOrOperations" },
    run: async ({ args: [file = ""], open, options }) =>
      (await import("../tools/import.ts")).importTools(await open(), file, options),
  },
  {
    name: "templates",
    summary: "List the toolkit templates for public APIs",
    examples: ["yagate tools templates"],
    scopes: SCOPES,
    output: { schema: "ToolTemplateList" },
    run: async ({ open }) => (await import("../tools/install.ts")).listTemplates(await open()),
  },
  {
    name: "install",
    summary: "Create a toolkit with the tools of a template",
    arguments: [{ name: "<template>", text: "id of the template, from yagate tools templates" }],
    options: [
      { flags: "--tool <name>", text: "only this tool; may be repeated", isRepeatable: true },
      { flags: "--values <json>", text: "fixed values for parameters of the template, by name" },
      ...TOOLKIT,
    ],
    examples: ["yagate tools install github --credential GITHUB_TOKEN --prefix acme_"],
    scopes: SCOPES,
    output: { schema: "InstalledToolkit" },
    run: async ({ args: [template = ""], open, options }) =>
      (await import("../tools/install.ts")).installTemplate(await open(), template, options),
  },
];

export const tools: CommandSpec = {
  name: "tools",
  summary: "Create, test and finalize tools that any agent in the workspace can use",
  group: GROUPS.common,
  examples: [
    "yagate tools create weather.json",
    `yagate tools test get_weather --parameters '{ "city": "Lisbon" }'`,
    "yagate tools import openapi.yaml --list",
  ],
  scopes: SCOPES,
  page: "workspace-tools",
  commands: [...READING, ...SAVING, ...LIFECYCLE, ...TOOLKITS],
};
