import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const TOOLKIT = { name: "<toolkit>", text: "kit_…, or the unique name of a toolkit" };
const SCOPES = ["tools"];
const load = () => import("../toolkits/toolkits.ts");

export const toolkits: CommandSpec = {
  name: "toolkits",
  summary: "List, show, finalize and delete toolkits: groups of tools that were created together",
  group: GROUPS.workspace,
  examples: ["yagate toolkits list", 'yagate toolkits finalize "Shop API"'],
  notes: ["yagate tools import and yagate tools install create toolkits."],
  scopes: SCOPES,
  page: "workspace-tools#toolkits",
  commands: [
    {
      name: "list",
      summary: "List the toolkits of the workspace, newest first",
      examples: ["yagate toolkits list"],
      scopes: SCOPES,
      output: { schema: "ToolkitList" },
      run: async ({ open }) => (await load()).listToolkits(await open()),
    },
    {
      name: "show",
      summary: "Show one toolkit with its tools as JSON",
      arguments: [TOOLKIT],
      examples: ['yagate toolkits show "Shop API"'],
      scopes: SCOPES,
      output: { schema: "Toolkit" },
      run: async ({ args: [toolkit = ""], open }) => (await load()).showToolkit(await open(), toolkit),
    },
    {
      name: "finalize",
      summary: "Make all validated tools of a toolkit available to agents",
      arguments: [TOOLKIT],
      examples: ['yagate toolkits finalize "Shop API"'],
      scopes: SCOPES,
      output: { schema: "Toolkit" },
      run: async ({ args: [toolkit = ""], open }) => (await load()).finalizeToolkit(await open(), toolkit),
    },
    {
      name: "delete",
      summary: "Delete a toolkit and keep its tools",
      arguments: [TOOLKIT],
      options: [
        { flags: "--archive-tools", text: "also archive the toolkit's tools that are not yet available to agents" },
      ],
      examples: ['yagate toolkits delete "Shop API" --archive-tools'],
      scopes: SCOPES,
      output: { schema: "Deletion" },
      run: async ({ args: [toolkit = ""], open, options }) =>
        (await load()).deleteToolkit(await open(), toolkit, options),
    },
  ],
};
