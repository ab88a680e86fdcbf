import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const KEY = { name: "<key>", text: "key of the capability, such as mcp.firecrawl_search" };
const SCOPES = ["tools"];
const load = () => import("../routing/capabilities.ts");

export const capabilities: CommandSpec = {
  name: "capabilities",
  summary: "List, show, create, update, switch off and delete capabilities: what can serve an intent",
  group: GROUPS.workspace,
  examples: ["yagate capabilities list", "yagate capabilities disable openai.web_search"],
  scopes: SCOPES,
  page: "routing",
  commands: [
    {
      name: "list",
      summary: "List the gateway's table and the workspace's entries, ordered by key",
      options: [{ flags: "--intent <name>", text: "only the capabilities that can serve this intent" }],
      examples: ["yagate capabilities list", "yagate capabilities list --intent web.search"],
      scopes: SCOPES,
      output: { schema: "CapabilityList" },
      run: async ({ open, options }) => (await load()).listCapabilities(await open(), options),
    },
    {
      name: "show",
      summary: "Show one capability",
      arguments: [KEY],
      examples: ["yagate capabilities show openai.web_search"],
      scopes: SCOPES,
      output: { schema: "Capability" },
      run: async ({ args: [key = ""], open }) => (await load()).showCapability(await open(), key),
    },
    {
      name: "create",
      summary: "Create a capability, or override an entry of the gateway's table",
      arguments: [KEY, { name: "<definition>", text: "JSON; - reads standard input" }],
      examples: [
        `yagate capabilities create runtime.page_fetch '{"intent":"url.fetch","mode":"runtime_function","target":{"builtin":"url_fetch"},"args":{"url":"\${url}"}}'`,
        `yagate capabilities create mcp.firecrawl_search '{"intent":"web.search","mode":"mcp_remote","target":{"source":"firecrawl","tool":"search"},"args":{"query":"\${query}"},"result":"$.results"}'`,
      ],
      scopes: SCOPES,
      output: { schema: "Capability" },
      run: async ({ args: [key = "", definition = ""], open }) =>
        (await load()).createCapability(await open(), key, definition),
    },
    {
      name: "update",
      summary: "Change a capability, or override an entry of the gateway's table",
      arguments: [KEY, { name: "<change>", text: "JSON; - reads standard input. null removes a value" }],
      examples: [`yagate capabilities update runtime.web_search '{"priority":80,"regions":["eu"]}'`],
      scopes: SCOPES,
      output: { schema: "Capability" },
      run: async ({ args: [key = "", change = ""], open }) =>
        (await load()).updateCapability(await open(), key, change),
    },
    {
      name: "enable",
      summary: "Switch a capability on",
      arguments: [KEY],
      examples: ["yagate capabilities enable openai.web_search"],
      scopes: SCOPES,
      output: { schema: "Capability" },
      run: async ({ args: [key = ""], open }) => (await load()).switchCapability(await open(), key, true),
    },
    {
      name: "disable",
      summary: "Switch a capability off: no execution that starts later uses it",
      arguments: [KEY],
      examples: ["yagate capabilities disable openai.web_search"],
      scopes: SCOPES,
      output: { schema: "Capability" },
      run: async ({ args: [key = ""], open }) => (await load()).switchCapability(await open(), key, false),
    },
    {
      name: "delete",
      summary: "Delete a capability of the workspace; an entry of the gateway's table that it overrides applies again",
      arguments: [KEY],
      examples: ["yagate capabilities delete runtime.web_search"],
      scopes: SCOPES,
      output: { schema: "Deletion" },
      run: async ({ args: [key = ""], open }) => (await load()).deleteCapability(await open(), key),
    },
  ],
};
