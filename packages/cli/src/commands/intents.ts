import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const NAME = { name: "<name>", text: "name of the intent, such as business.order.query" };
const SCOPES = ["tools"];
const load = () => import("../routing/intents.ts");

export const intents: CommandSpec = {
  name: "intents",
  summary: "List, show, create, update and delete intents: what agents need, without naming the tool that provides it",
  group: GROUPS.workspace,
  examples: ["yagate intents list", "yagate intents show web.search"],
  scopes: SCOPES,
  page: "routing",
  commands: [
    {
      name: "list",
      summary: "List the intents of the gateway and of the workspace, ordered by name",
      examples: ["yagate intents list"],
      scopes: SCOPES,
      output: { schema: "IntentList" },
      run: async ({ open }) => (await load()).listIntents(await open()),
    },
    {
      name: "show",
      summary: "Show one intent",
      arguments: [NAME],
      examples: ["yagate intents show web.search"],
      scopes: SCOPES,
      output: { schema: "Intent" },
      run: async ({ args: [name = ""], open }) => (await load()).showIntent(await open(), name),
    },
    {
      name: "create",
      summary: "Create an intent",
      arguments: [NAME, { name: "<definition>", text: "JSON with description and parameters; - reads standard input" }],
      examples: [
        `yagate intents create business.order.query '{"description":"Looks up an order.","parameters":{"type":"object","properties":{"orderId":{"type":"string"}},"required":["orderId"]}}'`,
      ],
      scopes: SCOPES,
      output: { schema: "Intent" },
      run: async ({ args: [name = "", definition = ""], open }) =>
        (await load()).createIntent(await open(), name, definition),
    },
    {
      name: "update",
      summary: "Change an intent of the workspace",
      arguments: [NAME, { name: "<change>", text: "JSON with description or parameters; - reads standard input" }],
      examples: [`yagate intents update business.order.query '{"description":"Looks up an order by its id."}'`],
      scopes: SCOPES,
      output: { schema: "Intent" },
      run: async ({ args: [name = "", change = ""], open }) => (await load()).updateIntent(await open(), name, change),
    },
    {
      name: "delete",
      summary: "Delete an intent of the workspace that no capability serves",
      arguments: [NAME],
      examples: ["yagate intents delete business.order.query"],
      scopes: SCOPES,
      output: { schema: "Deletion" },
      run: async ({ args: [name = ""], open }) => (await load()).deleteIntent(await open(), name),
    },
  ],
};
