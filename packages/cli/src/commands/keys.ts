import type { CommandSpec, OptionSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const WORKSPACE: OptionSpec = {
  flags: "--workspace <id>",
  text: 'another workspace; requires an admin key of the workspace "default"',
};
const ID = { name: "<id>", text: "key_…" };
const SCOPES = ["admin"];
const TEXT =
  "Only the key itself goes to standard output, and it cannot be shown again. Everything else goes to standard error.";
const load = () => import("../keys/keys.ts");

export const keys: CommandSpec = {
  name: "keys",
  summary: "List, create, update, rotate and delete API keys",
  group: GROUPS.workspace,
  examples: ["yagate keys list", "yagate keys create ci --scopes agents,executions --expires 90d > ci.key"],
  scopes: SCOPES,
  page: "keys",
  commands: [
    {
      name: "list",
      summary: "List API keys with their scopes, expiry and last use",
      options: [WORKSPACE],
      examples: ["yagate keys list"],
      scopes: SCOPES,
      output: { schema: "ApiKeyList" },
      run: async ({ open, options }) => (await load()).listKeys(await open(), options),
    },
    {
      name: "create",
      summary: "Create an API key and print it",
      arguments: [{ name: "<name>", text: "name of the key" }],
      options: [
        {
          flags: "--scopes <scopes>",
          text: "separated by commas: agents, executions, fallback, approvals, secrets, tools, operations, admin",
          isRequired: true,
        },
        {
          flags: "--expires <time>",
          text: "2026-11-22 (midnight UTC), 2026-11-22T09:00:00Z, or 12h, 90d from now (default: never)",
        },
        {
          flags: "--routing <json>",
          text: "JSON with the bounds for the routing of executions that the key starts; - reads standard input",
        },
        WORKSPACE,
      ],
      examples: [
        "yagate keys create ci --scopes agents,executions --expires 90d > ci.key",
        `yagate keys create shop --scopes executions --routing '{"scopes":["orders"],"dataClass":"internal"}' > shop.key`,
      ],
      notes: [TEXT],
      scopes: SCOPES,
      output: { schema: "CreatedApiKey" },
      run: async ({ args: [name = ""], open, options }) => (await load()).createKey(await open(), name, options),
    },
    {
      name: "update",
      summary: "Change the name, the expiry or the routing bounds of an API key",
      arguments: [ID],
      options: [
        { flags: "--name <name>", text: "new name of the key" },
        {
          flags: "--expires <time>",
          text: "2026-11-22 (midnight UTC), 2026-11-22T09:00:00Z, 12h or 90d from now, or never",
        },
        {
          flags: "--routing <json>",
          text: "JSON with the bounds for the routing of executions, in place of the saved ones; null removes them; - reads standard input",
        },
      ],
      examples: [
        `yagate keys update key_01jd3v0c8me9kxt3f6r2p5q7sa --routing '{"scopes":["orders"],"dataClass":"internal"}'`,
        "yagate keys update key_01jd3v0c8me9kxt3f6r2p5q7sa --expires never",
      ],
      scopes: SCOPES,
      output: { schema: "ApiKey" },
      run: async ({ args: [id = ""], open, options }) => (await load()).updateKey(await open(), id, options),
    },
    {
      name: "rotate",
      summary: "Replace the value of an API key and print the new value",
      arguments: [ID],
      options: [
        {
          flags: "--overlap <seconds>",
          text: "how long the previous value remains valid, 0 to 604800 (default: 86400)",
        },
      ],
      examples: ["yagate keys rotate key_01jd3v0c8me9kxt3f6r2p5q7sa --overlap 3600 > ci.key"],
      notes: [TEXT, "To rotate a key of another workspace, use an admin key of that workspace."],
      scopes: SCOPES,
      output: { schema: "CreatedApiKey" },
      run: async ({ args: [id = ""], open, options }) => (await load()).rotateKey(await open(), id, options),
    },
    {
      name: "delete",
      summary: "Delete an API key; the gateway rejects it from then on",
      arguments: [ID],
      examples: ["yagate keys delete key_01jd3v0c8me9kxt3f6r2p5q7sa"],
      notes: ["To delete a key of another workspace, use an admin key of that workspace."],
      scopes: SCOPES,
      output: { schema: "Deletion" },
      run: async ({ args: [id = ""], open }) => (await load()).deleteKey(await open(), id),
    },
  ],
};
