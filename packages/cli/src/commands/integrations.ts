import type { CommandSpec, OptionSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const NAME = { name: "<name>", text: "name of the integration" };
const SCOPES = ["tools"];

const FIELDS: readonly OptionSpec[] = [
  {
    flags: "--domain <host>",
    text: "api.example.com, or *.example.com for every host under example.com; may be repeated",
    isRepeatable: true,
  },
  { flags: "--port <port>", text: "port of https URLs; may be repeated (default: 443)", isRepeatable: true },
  { flags: "--description <text>", text: "human-readable description" },
  { flags: "--limits <json>", text: 'limits by plan, such as { "standard": { "callsPerMinute": 5 } }' },
];

export const integrations: CommandSpec = {
  name: "integrations",
  summary: "List, show, create, update and delete integrations: hosts that agents may reach",
  group: GROUPS.workspace,
  examples: ["yagate integrations list", "yagate integrations create shop --domain api.shop.example"],
  scopes: SCOPES,
  page: "integrations",
  commands: [
    {
      name: "list",
      summary: "List the integrations of the workspace, ordered by name",
      examples: ["yagate integrations list"],
      scopes: SCOPES,
      output: { schema: "IntegrationList" },
      run: async ({ open }) => (await import("../integrations/show.ts")).listIntegrations(await open()),
    },
    {
      name: "show",
      summary: "Show one integration",
      arguments: [NAME],
      examples: ["yagate integrations show shop"],
      scopes: SCOPES,
      output: { schema: "Integration" },
      run: async ({ args: [name = ""], open }) =>
        (await import("../integrations/show.ts")).showIntegration(await open(), name),
    },
    {
      name: "create",
      summary: "Create an integration",
      arguments: [NAME],
      options: FIELDS,
      examples: ['yagate integrations create shop --domain api.shop.example --domain "*.parcels.example"'],
      scopes: SCOPES,
      output: { schema: "Integration" },
      run: async ({ args: [name = ""], open, options }) =>
        (await import("../integrations/save.ts")).create(await open(), name, options),
    },
    {
      name: "update",
      summary: "Change an integration",
      arguments: [NAME],
      options: [
        ...FIELDS,
        {
          flags: "--if-version <number>",
          text: "version that the change is based on; the command fails if another version is current",
        },
      ],
      examples: [
        "yagate integrations update shop --port 443 --port 8443",
        `yagate integrations update shop --limits '{ "standard": { "callsPerMinute": 5 } }'`,
      ],
      notes: [
        "A list option replaces the complete saved list: after update with a single --domain, that is the only domain.",
      ],
      scopes: SCOPES,
      output: { schema: "Integration" },
      run: async ({ args: [name = ""], open, options }) =>
        (await import("../integrations/save.ts")).update(await open(), name, options),
    },
    {
      name: "delete",
      summary: "Delete an integration: agents that enable it can no longer reach its hosts",
      arguments: [NAME],
      examples: ["yagate integrations delete shop"],
      scopes: SCOPES,
      output: { schema: "Deletion" },
      run: async ({ args: [name = ""], open }) =>
        (await import("../integrations/delete.ts")).deleteIntegration(await open(), name),
    },
  ],
};
