import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const SCOPES = ["admin"];
const load = () => import("../workspaces/workspaces.ts");

export const workspaces: CommandSpec = {
  name: "workspaces",
  summary: "List, create and update workspaces",
  group: GROUPS.workspace,
  examples: ["yagate workspaces list", "yagate workspaces create shop > secret.txt"],
  notes: ['To create or update a workspace, the key must be an admin key of the workspace "default".'],
  scopes: SCOPES,
  page: "keys",
  commands: [
    {
      name: "list",
      summary: "List the workspaces that the key may see",
      examples: ["yagate workspaces list"],
      scopes: SCOPES,
      output: { schema: "WorkspaceList" },
      run: async ({ open }) => (await load()).listWorkspaces(await open()),
    },
    {
      name: "create",
      summary: "Create a workspace and print its first signing secret",
      arguments: [{ name: "<name>", text: "name of the workspace" }],
      options: [{ flags: "--plan <plan>", text: "plan of the workspace (default: standard)" }],
      examples: ["yagate workspaces create shop --plan pro > secret.txt"],
      notes: [
        "Only the signing secret goes to standard output, and it cannot be shown again. Everything else goes to standard error.",
        "yagate keys create --workspace creates an API key for the new workspace.",
      ],
      scopes: SCOPES,
      output: { schema: "CreatedWorkspace" },
      fieldOptions: { name: "the name", plan: "--plan" },
      run: async ({ args: [name = ""], open, options }) => (await load()).createWorkspace(await open(), name, options),
    },
    {
      name: "update",
      summary: "Change the plan of a workspace",
      arguments: [{ name: "<workspace>", text: "ws_…, or its unique name" }],
      options: [{ flags: "--plan <plan>", text: "plan that applies to later requests", isRequired: true }],
      examples: ["yagate workspaces update shop --plan pro"],
      scopes: SCOPES,
      output: { schema: "Workspace" },
      fieldOptions: { plan: "--plan" },
      run: async ({ args: [workspace = ""], open, options }) =>
        (await load()).updateWorkspace(await open(), workspace, options),
    },
  ],
};
