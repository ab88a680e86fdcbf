import type { PropertyText, PropertyTexts } from "./text.ts";

const INTENT = { text: "Name of the intent: lower-case words separated by dots.", example: "web.search" };
const CAPABILITY_KEY = {
  text: "Key of the capability: lower-case words separated by dots, unique in the workspace.",
  example: "mcp.firecrawl_search",
};
const VERSION = {
  text: "Version of the capability. It changes with the capability and its target.",
  example: "sha256:5f2c",
};

/** The fields of a capability. Each schema of capabilities has them. */
const CAPABILITY: Readonly<Record<string, PropertyText>> = {
  key: CAPABILITY_KEY,
  intent: INTENT,
  target: "What serves the intent: a provider-hosted tool, a built-in, a workspace tool, or a tool of a source.",
  "target.hosted": "Name of the tool that the model provider runs.",
  "target.tool": {
    text: "Id of the workspace tool; with `source`, the published name of the source's tool.",
    example: "tool_01jd3v0c8me9kxt3f6r2p5q7sa",
  },
  "target.source": { text: "Name or id of the tool source.", example: "firecrawl" },
  result: { text: "JSON path of the part of the result that the model reads.", example: "$.results" },
  providers: { text: "Model providers with which the capability works. Empty: all.", example: ["openai"] },
  modelPatterns: {
    text: "Patterns of the models with which the capability works; `*` matches any characters. Empty: all.",
    example: ["gpt-5*"],
  },
  priority: "Basis of the score, from 0 to 100. The capability with the highest score serves the intent.",
  costClass: "Cost of a call. An execution can set a ceiling with `routing.maxCostClass`.",
  riskClass: "Risk class of the calls; null: that of the target.",
  supportsCitations: "Whether results name sources that the answer can cite.",
  requiredScopes: {
    text: "Routing scopes that an execution must have; all are required. Empty: none.",
    example: ["search"],
  },
  regions: { text: "Regions in which the capability may be used. Empty: all.", example: ["eu"] },
  dataClasses:
    "Classes of data that the capability may handle. Empty: all; for `provider_hosted` and `mcp_remote`, `public` and `internal`.",
  enabled: "Whether the capability can be chosen.",
};

function of(schema: string): PropertyTexts {
  return Object.fromEntries(Object.entries(CAPABILITY).map(([name, text]) => [`${schema}.${name}`, text]));
}

/** Descriptions of capabilities, of the routing of agents, and of decisions. */
export const ROUTING_TEXTS: PropertyTexts = {
  ...of("Capability"),
  ...of("CreateCapability"),
  ...of("UpdateCapability"),
  "Capability.origin": "`gateway`: an entry of the gateway's own table. `workspace`: an entry of the workspace.",
  "Capability.isOverride": "Whether the workspace changed an entry of the gateway's table.",
  "Capability.asOf": {
    text: "Date of the gateway's table; null for an entry of the workspace.",
    example: "2026-11-29",
  },
  "CreateIntent.name": INTENT,
  "Intent.name": INTENT,
  "Intent.origin": "`gateway`: an intent of the gateway. `workspace`: an intent of the workspace.",
  "IntentReference.intent": INTENT,
  "tools[].intent": INTENT,
  "routing.rules":
    "Rules that choose intents by the input and the metadata. A rule applies if all of its conditions hold.",
  "AgentRouting.rules":
    "Rules that choose intents by the input and the metadata. A rule applies if all of its conditions hold.",
  "rules[].when": "Conditions on the input and the metadata of the execution.",
  "when.words": { text: "Words; the input must contain at least one of them.", example: ["parcel"] },
  "when.phrases": { text: "Phrases; the input must contain at least one of them.", example: ["where is my order"] },
  "when.patterns": {
    text: "Patterns; the input must match at least one of them. They are matched in linear time.",
    example: ["ORD-[0-9]+"],
  },
  "when.languages": { text: "Languages; the input must be in one of them.", example: ["en"] },
  "rules[].intents": { text: "Intents that the rule names.", example: ["web.search"] },
  "rules[].strict":
    "Whether other intents and tools are hidden instead of deferred. Required intents are always shown.",
  "RoutePreview.rules": "The rules that apply.",
  "RouteDecidedEvent.rules": "The rules that apply.",
  isCallersChoice: "Whether the caller chose `toolChoice`.",
  "RoutePreview.intents": "The decision about each intent.",
  "RouteDecidedEvent.intents": "The decision about each intent.",
  "intents[].intent": INTENT,
  "intents[].tool": { text: "Name of the tool that the model reads.", example: "web_search" },
  "intents[].isRequired": "Whether the execution fails with `NO_ROUTE` if no capability serves the intent.",
  "intents[].visibility":
    "`shown`: the model reads the tool in full. `deferred`: it finds the tool through tool search. `hidden`: it cannot use it.",
  "intents[].chosen": {
    text: "Key of the capability that serves the intent; null if none can.",
    example: "openai.web_search",
  },
  "intents[].candidates": "The capabilities that can serve the intent, best first.",
  "candidates[].key": CAPABILITY_KEY,
  "candidates[].version": VERSION,
  "candidates[].isHosted": "Whether the model provider runs the tool.",
  "candidates[].score": "The sum of `terms`.",
  "candidates[].terms": "Priority, citation bonus, region bonus, cost penalty and outage penalty.",
  "intents[].refused": {
    text: "Why other capabilities cannot serve the intent, by their keys.",
    example: { "runtime.web_search": "NOT_CONFIGURED" },
  },
  "intents[].omitted": "Number of excluded capabilities that are omitted to keep the event small.",
  "RoutePreview.shown": "The tools that the model is shown: their number, and the hash of their names.",
  "RouteDecidedEvent.shown": "The tools that the model is shown: their number, and the hash of their names.",
  "RoutePreview.tools": {
    text: "Names of the tools that the first model turn would be shown.",
    example: ["web_search"],
  },
  "RoutePreview.missingScopes": {
    text: "The routing scopes that the execution lacks, by the keys of the capabilities that are refused with `SCOPES`.",
    example: { "shop.orders": ["orders"] },
  },
  "RoutePreview.unserved": {
    text: "Required intents that no capability serves. An execution would fail with `NO_ROUTE`.",
    example: ["web.search"],
  },
  from: "The capability that served the call before.",
  to: "The capability that serves the call from now on.",
  "from.key": CAPABILITY_KEY,
  "from.version": VERSION,
  "to.key": CAPABILITY_KEY,
  "to.version": VERSION,
  "RouteChangedEvent.error": "Why the call moved.",
  "RouteChangedEvent.cost": "The cost of the previous capability, if no attempt contains it; absent if it is 0.",
  capability: "The capability through which the tool serves an intent; absent for other tools.",
  "capability.key": CAPABILITY_KEY,
  "capability.version": VERSION,
  development: "Whether the workspace is a development workspace, in which ended calls may be redelivered to any URL.",
};
