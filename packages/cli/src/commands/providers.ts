import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const SCOPES = ["secrets"];
const NAME = { name: "<name>", text: "openai, anthropic, google, …, or the name of an OpenAI-compatible server" };
const load = () => import("../providers/providers.ts");

export const providers: CommandSpec = {
  name: "providers",
  summary: "List, set and delete the model providers of the workspace",
  group: GROUPS.workspace,
  examples: ["yagate providers list", "yagate providers set openai --key OPENAI_KEY"],
  scopes: SCOPES,
  page: "providers",
  commands: [
    {
      name: "list",
      summary: "List the workspace's own providers, without their keys",
      examples: ["yagate providers list"],
      notes: ["Providers that the operator configured for the whole gateway are not included."],
      scopes: SCOPES,
      output: { schema: "ProviderList" },
      run: async ({ open }) => (await load()).listProviders(await open()),
    },
    {
      name: "set",
      summary: "Set a provider, with a secret of the workspace as its key",
      arguments: [NAME],
      options: [
        { flags: "--key <secret>", text: "name of the workspace secret with the API key", isRequired: true },
        { flags: "--base-url <url>", text: "URL of the API; required for OpenAI-compatible servers" },
      ],
      examples: [
        "yagate providers set openai --key OPENAI_KEY",
        "yagate providers set local --key LOCAL_KEY --base-url https://models.example.com/v1",
      ],
      notes: ["yagate secret set stores the key. Within the workspace, the provider replaces the gateway's own one."],
      scopes: SCOPES,
      output: { schema: "Provider" },
      fieldOptions: { apiKey: "--key", baseUrl: "--base-url" },
      run: async ({ args: [name = ""], open, options }) => (await load()).setProvider(await open(), name, options),
    },
    {
      name: "delete",
      summary: "Delete a provider of the workspace; the gateway's provider of that name applies again",
      arguments: [NAME],
      examples: ["yagate providers delete openai"],
      scopes: SCOPES,
      output: { schema: "Deletion" },
      run: async ({ args: [name = ""], open }) => (await load()).deleteProvider(await open(), name),
    },
  ],
};
