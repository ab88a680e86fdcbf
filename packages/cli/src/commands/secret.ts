import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const SCOPES = ["secrets"];

export const secret: CommandSpec = {
  name: "secret",
  summary: "List, set and delete the secrets of the workspace, such as API keys of model providers",
  group: GROUPS.workspace,
  examples: ["yagate secret list", "yagate secret set OPENAI_KEY < key.txt"],
  scopes: SCOPES,
  page: "secrets",
  commands: [
    {
      name: "list",
      summary: "List the names and settings of secrets, never their values",
      examples: ["yagate secret list"],
      scopes: SCOPES,
      output: { schema: "SecretList" },
      run: async ({ open }) => (await import("../secret/list.ts")).listSecrets(await open()),
    },
    {
      name: "set",
      summary: "Set a secret to a value that is read from standard input or from a prompt that does not show it",
      arguments: [{ name: "<name>", text: "1 to 64 characters from A-Z 0-9 _, starting with a letter" }],
      options: [
        {
          flags: "--host <host>",
          text: "host that the secret may be sent to, such as api.example.com; may be repeated; replaces the saved hosts",
          isRepeatable: true,
        },
        {
          flags: "--auth <type>",
          text: "how the secret authenticates a request: bearer, basic, header, query_param or signed_token",
        },
        { flags: "--auth-name <name>", text: "name of the header or the query parameter" },
        { flags: "--auth-issuer <text>", text: "iss claim of signed tokens" },
        { flags: "--auth-subject <text>", text: "sub claim of signed tokens" },
        { flags: "--auth-audience <text>", text: "aud claim of signed tokens" },
        { flags: "--auth-expires <seconds>", text: "how long a signed token is valid, 1 to 3600 (default: 60)" },
      ],
      examples: [
        "yagate secret set OPENAI_KEY < key.txt",
        "yagate secret set SHOP_KEY --host api.shop.example --auth header --auth-name X-Api-Key < key.txt",
        "yagate secret set JIRA_LOGIN --host api.atlassian.com --auth basic < login.txt",
      ],
      notes: [
        "The value is never an argument: other users of the machine could read it in the process list, and it would stay in the shell's history.",
        "Without --host, the key of a model provider is sent only to that provider. If you use your own base URL, set --host to its host.",
        "With --auth basic, and for a secret that is already basic, the command prompts for the user name and then the password. On standard input, they are one line: the user name, a colon and the password.",
      ],
      scopes: SCOPES,
      output: { schema: "Secret" },
      fieldOptions: {
        hosts: "--host",
        auth: "--auth",
        "auth.type": "--auth",
        "auth.name": "--auth-name",
        "auth.issuer": "--auth-issuer",
        "auth.subject": "--auth-subject",
        "auth.audience": "--auth-audience",
        "auth.expiresInSeconds": "--auth-expires",
      },
      // Otherwise, the error would come only after the value has been read, and call the value a surplus argument.
      allowsExcess: true,
      run: async ({ args: [name = "", ...others], open, options }) =>
        (await import("../secret/set.ts")).setSecret(await open(), name, options, others.length > 0),
    },
    {
      name: "delete",
      summary: "Delete a secret; agents, tools and providers that use it then report that it is missing",
      arguments: [{ name: "<name>", text: "name of the secret" }],
      examples: ["yagate secret delete SHOP_KEY"],
      scopes: SCOPES,
      output: { schema: "Deletion" },
      run: async ({ args: [name = ""], open }) =>
        (await import("../secret/delete.ts")).deleteSecret(await open(), name),
    },
  ],
};
