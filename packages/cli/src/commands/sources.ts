import type { CommandSpec, OptionSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const SOURCE = { name: "<source>", text: "name of the source, or src_…" };
const SCOPES = ["tools"];
const SIDE_EFFECT: OptionSpec = {
  flags: "--side-effect <effect>",
  text: "side effect of the tools, instead of the one that they declare: read_only, idempotent_write, non_idempotent_write or destructive; <tool>=<effect> for one tool; may be repeated",
  isRepeatable: true,
};

const FILTERS: readonly OptionSpec[] = [
  {
    flags: "--include <pattern>",
    text: "only tools whose published names match, such as 'orders_*'; may be repeated",
    isRepeatable: true,
  },
  {
    flags: "--exclude <pattern>",
    text: "leave out tools whose published names match; may be repeated",
    isRepeatable: true,
  },
  { flags: "--on-change <rule>", text: "what happens to tools that change later: hold, additive or accept" },
];

const API: readonly OptionSpec[] = [
  {
    flags: "--credential-for <scheme=secret>",
    text: "secret for operations that use this security scheme of an OpenAPI document; may be repeated",
    isRepeatable: true,
  },
  { flags: "--server <url>", text: "base URL of the API, for OpenAPI documents that contain none" },
];

/** The options of settings that can be changed. */
const SETTINGS = {
  ...{ signingSecret: "--signing-secret", include: "--include", exclude: "--exclude", onChange: "--on-change" },
  ...{ "auth.credential": "--credential", "auth.oauth.issuer": "--issuer", "auth.oauth.grant": "--grant" },
  ...{ "auth.oauth.clientId": "--client-id", "auth.oauth.clientSecret": "--client-secret" },
  ...{ "auth.oauth.scopes": "--scope", "auth.oauth.allowRegistration": "--allow-registration" },
  ...{ server: "--server", credentials: "--credential-for" },
};

const AUTH: readonly OptionSpec[] = [
  {
    flags: "--credential <secret>",
    text: "workspace secret with which the gateway identifies itself to an MCP server, or fetches an OpenAPI document",
  },
  { flags: "--issuer <url>", text: "authorization server of an MCP server; the gateway signs in with OAuth 2.1" },
  {
    flags: "--grant <grant>",
    text: "authorization_code: a person signs in; client_credentials: the gateway does (default: authorization_code)",
  },
  { flags: "--client-id <id>", text: "client that is registered with the issuer" },
  { flags: "--client-secret <secret>", text: "name of the workspace secret with the client's secret" },
  { flags: "--scope <scope>", text: "scope to request; may be repeated", isRepeatable: true },
  { flags: "--allow-registration", text: "let the gateway register itself with the issuer if it has no other client" },
];

const load = () => import("../sources/sources.ts");
const loadReview = () => import("../sources/review.ts");

const READING: readonly CommandSpec[] = [
  {
    name: "list",
    summary: "List the tool sources of the workspace, newest first",
    examples: ["yagate sources list", "yagate sources list --json"],
    scopes: SCOPES,
    output: { schema: "ToolSourceList" },
    run: async ({ open }) => (await load()).listSources(await open()),
  },
  {
    name: "show",
    summary: "Show one tool source and the states of its tools, or one of its tools",
    arguments: [SOURCE, { name: "[tool]", text: "name of a tool, as the source publishes it or as models read it" }],
    examples: ["yagate sources show orders", "yagate sources show orders lookup_order"],
    notes: [
      "For a tool, the command prints its status and everything that a model reads: the description, the parameters and the call options.",
    ],
    scopes: SCOPES,
    output: { schema: "ToolSourceOrTool" },
    run: async ({ args: [source = "", tool], open }) =>
      tool === undefined
        ? (await load()).showSource(await open(), source)
        : (await import("../sources/show-tool.ts")).showSourceTool(await open(), source, tool),
  },
  {
    name: "test",
    summary: "Read a source now, and show what a sync would find and change",
    arguments: [SOURCE],
    examples: ["yagate sources test orders"],
    notes: [
      "The gateway reads the source with its credential. Nothing is stored, no tool is called, and no definition is accepted.",
    ],
    scopes: SCOPES,
    statuses: { 0: "The source can be read.", 1: "The source cannot be read." },
    output: { schema: "ToolSourceTest" },
    run: async ({ args: [source = ""], open }) =>
      (await import("../sources/source-test.ts")).testSource(await open(), source),
  },
  {
    name: "diff",
    summary: "Show how the published tools differ from the accepted ones",
    arguments: [SOURCE, { name: "[tool...]", text: "only these tools" }],
    examples: ["yagate sources diff orders", "yagate sources diff orders lookup_order"],
    notes: [
      "Everything that a model reads is shown. If only a different schema generator changed the form of a tool's schemas, one line says so; name the tool to see the complete difference.",
    ],
    scopes: SCOPES,
    output: { schema: "ToolChangeList" },
    run: async ({ args: [source = "", ...tools], open }) =>
      (await loadReview()).diffSource(await open(), source, tools),
  },
];

const CHANGING: readonly CommandSpec[] = [
  {
    name: "add",
    summary: "Create a tool source, and accept the tools that it publishes",
    arguments: [
      {
        name: "<url>",
        text: "URL of a handler that describes its tools, of an MCP server, or of an OpenAPI document; or the file of a document",
      },
    ],
    options: [
      { flags: "--name <name>", text: "namespace of the tools (default: derived from the URL)" },
      { flags: "--kind <kind>", text: "handler, mcp or openapi (default: handler)" },
      { flags: "--signing-secret <name>", text: "signing secret that the handler has (default: default)" },
      ...FILTERS,
      SIDE_EFFECT,
      ...AUTH,
      ...API,
    ],
    examples: [
      "yagate sources add http://localhost:3000/tools",
      "yagate sources add http://localhost:3000/tools --yes",
      "yagate sources add https://mcp.example.com/mcp --kind mcp --name tickets --issuer https://login.example.com",
      "yagate sources add openapi.yaml --kind openapi --name shop --credential-for api_key=SHOP_KEY",
    ],
    notes: [
      "The command prints each new or changed tool with every text that a model reads, then asks which tools to accept. --yes accepts all of them. Without a terminal and without --yes, nothing is accepted, and the command that accepts the tools is printed.",
      "If the source already exists with the same URL, its tools are read again. If it has an uploaded document, the document is replaced.",
    ],
    scopes: SCOPES,
    statuses: {
      0: "The source was created and its tools were read.",
      1: "The source was created, but its tools could not be read.",
    },
    output: { schema: "ToolSource" },
    fieldOptions: { name: "--name", kind: "--kind", url: "<url>", document: "<url>", ...SETTINGS },
    run: async ({ args: [url = ""], open, options }) =>
      (await import("../sources/add.ts")).addSource(await open(), url, options),
  },
  {
    name: "update",
    summary: "Change the settings of a source, and read its tools again",
    arguments: [SOURCE],
    options: [
      { flags: "--new-url <url>", text: "another URL; all tools are held until they are accepted again" },
      { flags: "--signing-secret <name>", text: "signing secret that the handler has" },
      ...FILTERS,
      { flags: "--interval <duration>", text: "time between two scheduled syncs, 1m to 24h" },
      ...AUTH,
      ...API,
      {
        flags: "--settings <file>",
        text: "JSON file with settings as in the API, such as defaults and overrides; - reads standard input",
      },
    ],
    examples: ["yagate sources update orders --interval 5m --exclude 'internal_*'"],
    notes: [
      "Settings that are not named keep their values. --include '*' includes all tools again. If an option and the file set the same field, the option applies.",
      "If the URL or the credential changes, all tools are held until they are accepted again; on a terminal, the command asks first.",
    ],
    scopes: SCOPES,
    statuses: {
      0: "The settings were changed and the tools were read.",
      1: "The settings were changed, but the tools could not be read.",
    },
    output: { schema: "ToolSource" },
    fieldOptions: { url: "--new-url", syncIntervalSeconds: "--interval", ...SETTINGS },
    run: async ({ args: [source = ""], open, options }) =>
      (await import("../sources/update.ts")).updateSource(await open(), source, options),
  },
  {
    name: "sync",
    summary: "Read the tools of a source again",
    arguments: [SOURCE],
    examples: ["yagate sources sync orders"],
    scopes: SCOPES,
    statuses: { 0: "The tools were read.", 1: "The tools could not be read." },
    output: { schema: "ToolSource" },
    run: async ({ args: [source = ""], open }) => (await load()).syncSource(await open(), source),
  },
  {
    name: "login",
    summary: "Sign in to the MCP server of a source with OAuth",
    arguments: [SOURCE],
    options: [
      { flags: "--code <code>", text: "code that the browser showed, to confirm a sign-in without a terminal" },
    ],
    examples: ["yagate sources login tickets"],
    notes: [
      "The command prints the URL of a page. A person opens it in a browser and signs in; the browser then shows a code, and the command asks for it. Without a terminal, the command ends after it has printed the URL; then confirm the sign-in within 10 minutes, with --code and the same API key.",
    ],
    scopes: SCOPES,
    statuses: {
      0: "The sign-in is complete, or the URL was printed.",
      1: "The sign-in failed, or the tools could not be read.",
    },
    output: { schema: "ToolSourceLogin" },
    run: async ({ args: [source = ""], open, options }) =>
      (await import("../sources/login.ts")).loginToSource(await open(), source, options),
  },
  {
    name: "accept",
    summary: "Accept new and changed definitions, so that agents get them",
    arguments: [
      SOURCE,
      {
        name: "[tool...]",
        text: "published names of tools; name@hash accepts a definition only if its hash starts with these digits (at least 16)",
      },
    ],
    options: [
      { flags: "--all", text: "all tools that are new or changed when the command runs" },
      {
        flags: "--reviewed <file>",
        text: "the definitions in this file, which sources diff wrote with --json; - reads standard input",
      },
      SIDE_EFFECT,
    ],
    examples: [
      "yagate sources accept orders --all",
      "yagate sources accept orders lookup_order --side-effect read_only",
      "yagate sources accept orders --reviewed orders.json",
    ],
    notes: [
      "On a terminal, the command shows the definitions and asks for confirmation; --yes confirms in advance. Without a terminal, running the command counts as the confirmation.",
      "Either all of the definitions are accepted, or none. To accept only what was reviewed, name the tools with their hashes, as yagate sources diff prints them, or pass the file of the review with --reviewed. If a definition has changed since, the command fails and names the tool.",
    ],
    scopes: SCOPES,
    output: { schema: "ToolSource" },
    run: async ({ args: [source = "", ...tools], open, options }) =>
      (await loadReview()).acceptTools(await open(), source, tools, options),
  },
  {
    name: "revoke",
    summary: "Turn tools off until they are accepted again, including in executions that have already started",
    arguments: [SOURCE, { name: "[tool...]", text: "published names of tools" }],
    options: [{ flags: "--all", text: "all tools of the source" }],
    examples: ["yagate sources revoke orders lookup_order", "yagate sources revoke orders --all"],
    scopes: SCOPES,
    output: { schema: "ToolSource" },
    run: async ({ args: [source = "", ...tools], open, options }) =>
      (await load()).revokeTools(await open(), source, tools, options),
  },
  {
    name: "adopt",
    summary: "Make imported workspace tools follow the operations of an OpenAPI document",
    arguments: [SOURCE, { name: "[tool...]", text: "workspace tools, by name or id" }],
    options: [{ flags: "--toolkit <toolkit>", text: "all finalized REST tools of this toolkit" }],
    examples: ['yagate sources adopt shop --toolkit "Shop API"', "yagate sources adopt shop list_orders"],
    notes: [
      "The tools keep their ids, and agents that name them continue to work. If a tool differs from the document, for example because it was edited after the import, the operation is held: yagate sources diff shows the difference, and yagate sources accept takes the definition of the document.",
      "Either all of the tools are adopted, or none.",
    ],
    scopes: SCOPES,
    output: { schema: "ToolSource" },
    fieldOptions: { "tools[].toolId": "[tool...]" },
    run: async ({ args: [source = "", ...tools], open, options }) =>
      (await import("../sources/adopt.ts")).adoptTools(await open(), source, tools, options),
  },
  {
    name: "remove",
    summary: "Delete a tool source and turn its tools off",
    arguments: [SOURCE],
    options: [{ flags: "--force", text: "delete the source even if agents refer to it" }],
    examples: ["yagate sources remove orders"],
    scopes: SCOPES,
    output: { schema: "Deletion" },
    run: async ({ args: [source = ""], open, options }) => (await load()).removeSource(await open(), source, options),
  },
];

export const sources: CommandSpec = {
  name: "sources",
  summary: "Add tool sources, such as handlers that describe their tools, and review what they publish",
  group: GROUPS.workspace,
  examples: ["yagate sources add http://localhost:3000/tools", "yagate sources diff orders"],
  notes: ["A source is identified by its id or its name."],
  scopes: SCOPES,
  page: "tool-sources",
  commands: [...READING, ...CHANGING],
};
