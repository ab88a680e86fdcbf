import type { PropertyTexts } from "./text.ts";

const HASH = `sha256:${"0".repeat(64)}`;

const KIND =
  "The kind of the source. `handler`: a handler that describes its tools. `mcp`: an MCP server. `openapi`: an OpenAPI document.";
const URL_TEXT = {
  text: "The handler's URL, to which the gateway sends calls and describe requests; or the endpoint of the MCP server for Streamable HTTP; or the URL of the OpenAPI document, null for an uploaded one.",
  example: "https://tools.example.com/orders",
};
const AUTH = {
  text: "How the gateway identifies itself to an MCP server, or to the server of an OpenAPI document when it fetches the document; null: its requests contain no credential.",
  example: { credential: "TICKETS_KEY" },
};

const DOCUMENT = {
  text: "An OpenAPI 3.0 or 3.1 document instead of `url`: a JSON object, or JSON or YAML text. It is stored, and nothing is fetched.",
  example: "openapi: 3.1.0",
};
const DOCUMENTS = {
  text: "Other documents that references in `document` point to, by their names relative to it.",
  example: { "schemas/order.yaml": "type: object" },
};
const CREDENTIAL = {
  text: "Name of the secret for calls of every tool of the OpenAPI document to which `credentials` assigns none; null: none.",
  example: "SHOP_KEY",
};
const CREDENTIALS = {
  text: "Names of the secrets for calls, by the names of the OpenAPI document's security schemes.",
  example: { shopKey: "SHOP_KEY" },
};

/** Descriptions of the settings with which the gateway signs in to an MCP server. */
const OAUTH: PropertyTexts = {
  issuer: {
    text: "The only authorization server that the gateway trusts for the source, exactly as its metadata names it.",
    example: "https://login.example.com",
  },
  grant:
    "`authorization_code`: a person signs in with a browser. `client_credentials`: the gateway signs in with `clientId` and `clientSecret`.",
  clientId: {
    text: "The client that is registered with the issuer. Default: the gateway's client metadata document, if the issuer supports such documents.",
    example: "yagate",
  },
  clientSecret: {
    text: "Name of the workspace secret with the client's secret. Its hosts must include the host of the token endpoint.",
    example: "TICKETS_CLIENT",
  },
  scopes: {
    text: "The scopes to request. Default: those that the MCP server asks for; none for `client_credentials`.",
    example: ["tickets:read"],
  },
  allowRegistration: "Whether the gateway may register itself with the issuer if it has no other client.",
};

const OAUTH_TEXTS: PropertyTexts = {
  oauth: "How the gateway signs in with OAuth 2.1.",
  ...Object.fromEntries(
    Object.entries(OAUTH).flatMap(([field, text]) => [
      [`ToolSourceOAuth.${field}`, text],
      [`oauth.${field}`, text],
    ]),
  ),
};

/** Descriptions for tool sources, their tools and their changes. */
export const TOOL_SOURCE_TEXTS: PropertyTexts = {
  "CreateToolSource.name": {
    text: "The name, which is the namespace of the source's tools. It cannot be changed.",
    example: "orders",
  },
  "CreateToolSource.kind": KIND,
  "ToolSource.kind": KIND,
  "CreateToolSource.url": URL_TEXT,
  "UpdateToolSource.url": URL_TEXT,
  "ToolSource.url": URL_TEXT,
  "CreateToolSource.auth": AUTH,
  "UpdateToolSource.auth": AUTH,
  "ToolSource.auth": AUTH,
  "McpAuth.credential": {
    text: "Name of a workspace secret whose `hosts` contain the host of `url`.",
    example: "TICKETS_KEY",
  },
  "auth.credential": {
    text: "Name of a workspace secret whose `hosts` contain the host of `url`.",
    example: "TICKETS_KEY",
  },
  "CreateToolSource.document": DOCUMENT,
  "CreateToolSource.documents": DOCUMENTS,
  "CreateToolSource.documentName": {
    text: "Name of `document` itself, for references back to it.",
    example: "openapi.yaml",
  },
  "UpdateToolSource.document": DOCUMENT,
  "UpdateToolSource.documents": DOCUMENTS,
  "UpdateToolSource.documentName": {
    text: "Name of `document` itself, for references back to it.",
    example: "openapi.yaml",
  },
  "CreateToolSource.credential": CREDENTIAL,
  "CreateToolSource.credentials": CREDENTIALS,
  "UpdateToolSource.credential": CREDENTIAL,
  "UpdateToolSource.credentials": CREDENTIALS,
  "ToolSource.credential": CREDENTIAL,
  "ToolSource.credentials": CREDENTIALS,
  "ToolSource.document":
    "The OpenAPI document of the latest successful sync. Absent before it, in lists of sources, and for other kinds.",
  "ToolSource.document.title": { text: "The title in the document.", example: "Shop" },
  "ToolSource.document.hash": {
    text: "Hash of the bytes that were fetched or, for an uploaded document, of its stored form together with the documents to which it refers.",
    example: HASH,
  },
  "ToolSource.document.skippedCount": { text: "Number of operations that cannot become a tool.", example: 2 },
  "ToolSource.document.removed": "The texts from which invisible characters were removed: the first 100.",
  skippedTools:
    "The tools of the latest successful sync that cannot be used; at most 100. Absent for a handler, whose sync fails if a tool cannot be used.",
  "skippedTools[].name": {
    text: "The published name without invisible characters, at most 300 characters; empty if the tool has no name. For an operation that cannot become a tool, its method and path.",
    example: "look up",
  },
  "skippedTools[].reason": {
    text: "Why the tool cannot be used.",
    example: "expected a name of visible ASCII characters",
  },
  hints: {
    text: "What an MCP server claims about the tool. Absent if it claims nothing, and for other kinds of sources.",
    example: { annotations: { readOnlyHint: true }, proposedSideEffect: "read_only" },
  },
  "hints.annotations": { text: "The tool's annotations, as the server sent them.", example: { readOnlyHint: true } },
  "hints.proposedSideEffect": {
    text: "The side effect that would follow from the annotations; null if they claim nothing about it.",
    example: "read_only",
  },
  include: {
    text: "Patterns that select tools by their published names; `*` matches any characters. Null: all tools.",
    example: ["orders.*"],
  },
  exclude: { text: "Patterns for the published names of tools to exclude.", example: ["*.internal"] },
  defaults:
    "Call options that apply if a tool does not declare them. Of two side effects or risk classes, the stricter one applies.",
  overrides: {
    text: "Call options for single tools, by published name. They take precedence over what the tool declares.",
    example: { refund: { approval: "always" } },
  },
  onChange:
    "What happens to tools that the source adds or changes. `hold`: they are off until they are accepted. `additive`: the same, but changed tools of a handler keep their accepted definition. `accept`, only for a handler: they are accepted, unless the change makes a tool laxer.",
  syncIntervalSeconds: {
    text: "Time between two scheduled syncs in seconds. Each wait varies by up to 10%. Default 900.",
    example: 900,
  },
  syncedAt: "When the latest successful sync ended; null before the first one.",
  nextSyncAt: "When the gateway syncs the source next; null if it does so only on request.",
  "CreateToolSource.onChange":
    "What happens to tools that the source adds or changes. `hold` (default): they are off until they are accepted. `additive`: the same, but changed tools keep their accepted definition. `accept`: they are accepted, unless the change makes a tool laxer. In a gateway for development, the default for handlers is `accept`.",
  "CreateToolSource.accept": "Whether the tools of the first sync are accepted.",
  "ToolSource.status":
    "`ready`: all published tools are accepted. `changed`: tools wait to be accepted. `unreachable` and `unauthorized`: the latest sync failed; the accepted definitions stay in use.",
  "ToolSourceTest.status":
    "The status that a sync would determine. `unreachable` and `unauthorized`: the source cannot be read.",
  "ToolSourceTest.reason": {
    text: "Why the source cannot be read; null if it can.",
    example: { code: "SOURCE_UNREACHABLE", message: "the handler responded to a describe request with HTTP 500" },
  },
  "ToolSourceTest.durationMs": { text: "Time that the gateway needed to read the source, in ms.", example: 42 },
  "ToolSourceTest.revision": {
    text: "The revision of the protocol: of a handler's manifest, or of MCP; the title of an OpenAPI document. Null if it is not known.",
    example: "2026-07-28",
  },
  "ToolSourceTest.generator": {
    text: "What generated a handler's JSON Schemas; null if it is not known.",
    example: "zod 4.6.7",
  },
  "ToolSourceTest.tools":
    "The tools as they would be after a sync, ordered by name; empty if the source cannot be read.",
  "ToolSourceTest.tools[].name": {
    text: "The name that the source publishes and that calls contain.",
    example: "lookup",
  },
  "ToolSourceTest.tools[].hash": {
    text: "Hash of the published definition; null if the source no longer publishes the tool.",
    example: HASH,
  },
  "ToolSourceTest.skippedTools": "The published tools that cannot be used; at most 100.",
  "ToolSourceTest.changes": "Names, as models read them, of the tools whose published definitions a sync would change.",
  "changes.added": { text: "Tools that are published for the first time.", example: ["orders.refund"] },
  "changes.changed": { text: "Tools with another definition.", example: ["orders.lookup"] },
  "changes.removed": { text: "Tools that are no longer published.", example: [] },
  "changes.held": {
    text: "Added and changed tools that would be off until they are accepted.",
    example: ["orders.refund"],
  },
  statusAt: "When the status was last determined.",
  "ToolSource.reason": {
    text: "Why the latest sync failed; null if it succeeded.",
    example: { code: "SOURCE_UNREACHABLE", message: "the handler responded to a describe request with HTTP 500" },
  },
  "reason.code": { text: "The code of the failure.", example: "SOURCE_UNREACHABLE" },
  "reason.message": {
    text: "The message of the failure.",
    example: "the handler responded to a describe request with HTTP 500",
  },
  generation: { text: "A number that increases with every change to the tools.", example: 3 },
  toolCounts: "The numbers of tools.",
  "toolCounts.published": { text: "Tools that the source publishes.", example: 12 },
  "toolCounts.accepted": { text: "Tools that are published with their accepted definition.", example: 10 },
  "toolCounts.held": { text: "Tools whose published definition is not accepted.", example: 2 },
  "toolCounts.removed": { text: "Accepted tools that are no longer published.", example: 0 },
  "ToolSource.tools": "The tools, ordered by name. Absent in lists of sources.",
  "ToolSource.tools[].name": { text: "The name that the source publishes and that calls contain.", example: "lookup" },
  "ToolChange.name": { text: "The name that the source publishes and that calls contain.", example: "lookup" },
  toolName: { text: "The name that models read.", example: "orders.lookup" },
  "tools[].state":
    "`accepted`: the published definition is accepted. `new`: none is accepted. `changed`: another one is accepted. `removed`: the tool is no longer published.",
  "ToolChange.state":
    "`new`: no definition is accepted. `changed`: another one is accepted. `removed`: the tool is no longer published. `accepted`: only `conflict` keeps the tool off.",
  isOffered: "Whether new executions get the tool.",
  "ToolSource.tools[].hash": {
    text: "Hash of the published definition; null if the source no longer publishes the tool.",
    example: HASH,
  },
  "AcceptTools.tools[].hash": {
    text: "Hash of the reviewed definition, as the list of changes shows it.",
    example: HASH,
  },
  "ToolChange.hash": {
    text: "Hash of the published definition; null if the source no longer publishes the tool.",
    example: HASH,
  },
  acceptedHash: { text: "Hash of the accepted definition; null while no definition is accepted.", example: HASH },
  "SourceToolDetail.name": {
    text: "The name that the source publishes and that calls contain.",
    example: "lookup",
  },
  "SourceToolDetail.state":
    "`accepted`: the published definition is accepted. `new`: none is accepted. `changed`: another one is accepted. `removed`: the tool is no longer published.",
  "SourceToolDetail.hash": {
    text: "Hash of the published definition; null if the source no longer publishes the tool.",
    example: HASH,
  },
  "SourceToolDetail.definition": {
    text: "The published definition; null if the source no longer publishes the tool.",
    example: { name: "lookup", description: "Looks up an order by its id." },
  },
  acceptedDefinition: {
    text: "The accepted definition; null while no definition is accepted.",
    example: { name: "lookup", description: "Looks up an order." },
  },
  "ToolChange.before": {
    text: "The accepted definition; null while no definition is accepted.",
    example: { name: "lookup", description: "Looks up an order." },
  },
  "ToolChange.after": {
    text: "The published definition; null if the source no longer publishes the tool.",
    example: { name: "lookup", description: "Looks up an order by its id." },
  },
  isLaxer: "Whether the published definition declares a weaker side effect or risk class than the accepted one.",
  isGeneratorChanged:
    "Whether another schema generator, or another version of it, produced the published schemas, so they may differ only in form.",
  conflict: {
    text: "Why the tool is off even if it is accepted; null if nothing prevents it.",
    example: { code: "NAME_CONFLICT", message: "the tool has the same name for models as a.b" },
  },
  "conflict.code": { text: "The code of the conflict.", example: "NAME_CONFLICT" },
  "conflict.message": {
    text: "The message of the conflict.",
    example: "the tool has the same name for models as a.b",
  },
  "Agent.tools[].source": { text: "Id of a tool source.", example: "src_01m7yj864ke00brb1mkxjenfhm" },
  "Agent.tools[].tools": { text: "Published names of the source's tools. Default: all.", example: ["lookup"] },
  "ToolSourceReference.source": {
    text: "Name or id of a tool source. It is the id in a saved agent.",
    example: "orders",
  },
  "ToolSourceReference.tools": {
    text: "Published names of the tools. Default: all tools that the source offers when an execution starts.",
    example: ["lookup"],
  },
  sourceTools: "The tools of tool sources that the execution uses until it ends. Absent if it uses no such tools.",
  "sourceTools[].source": { text: "Id of the tool source.", example: "src_01m7yj864ke00brb1mkxjenfhm" },
  "sourceTools[].tool": { text: "The name that the source publishes and that calls contain.", example: "lookup" },
  "sourceTools[].name": { text: "The name that the model reads.", example: "orders.lookup" },
  "sourceTools[].hash": { text: "Hash of the definition.", example: HASH },
  heldTools:
    "The tools of the agent's sources that the execution does not get, because they waited to be accepted when it started. Absent if there are none.",
  "heldTools.count": "Number of held tools.",
  "heldTools.names": { text: "The names of the first 20, as models read them.", example: ["orders.refund"] },
  "AcceptTools.tools": "The definitions to accept.",
  "AcceptTools.tools[].name": { text: "The name that the source publishes.", example: "lookup" },
  "AcceptTools.tools[].sideEffect": "The side effect of the tool, instead of the one that it declares.",
  "ConfirmLogin.code": {
    text: "The code that the browser showed. Spaces, hyphens and case are ignored.",
    example: "K7QM-2XWP",
  },
  "StartedLogin.authorizationUrl": {
    text: "The issuer's page. A person opens it in a browser; the gateway never does.",
    example: "https://login.example.com/authorize?response_type=code&client_id=yagate",
  },
  "StartedLogin.expiresAt": "When the sign-in expires: 10 minutes after its start.",
  ...OAUTH_TEXTS,
  "ToolSource.tools[].toolId": {
    text: "Id of the workspace tool that follows this one. Absent if no adopted tool does.",
    example: "tool_01m7yj864ke00brb1mkxjenfhm",
  },
  "AdoptTools.tools": "The workspace tools, each with the operation that it is to follow.",
  "AdoptTools.tools[].toolId": {
    text: "Id of a REST tool of the workspace with the status `created`.",
    example: "tool_01m7yj864ke00brb1mkxjenfhm",
  },
  "AdoptTools.tools[].name": {
    text: "The published name of the operation. Default: the operation with the same method and URL or, failing that, with the same method and path, or with the name of the tool.",
    example: "get_order",
  },
  "RevokeTools.tools": { text: "Published names of the tools. Default: all tools of the source.", example: ["lookup"] },
};
