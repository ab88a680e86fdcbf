import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const SCOPES = ["secrets"];

export const signingSecrets: CommandSpec = {
  name: "signing-secrets",
  summary: "List and rotate the secrets that sign tool calls",
  group: GROUPS.workspace,
  examples: ["yagate signing-secrets list", "yagate signing-secrets rotate > secret.txt"],
  scopes: SCOPES,
  page: "keys",
  commands: [
    {
      name: "list",
      summary: "List the names and times of signing secrets, never their values",
      examples: ["yagate signing-secrets list"],
      scopes: SCOPES,
      output: { schema: "SigningSecretList" },
      run: async ({ open }) => (await import("../signing-secrets/list.ts")).listSigningSecrets(await open()),
    },
    {
      name: "rotate",
      summary: "Replace a signing secret, or create the first one with its name, and print it",
      arguments: [{ name: "[name]", text: "name of the secret (default: default)" }],
      options: [
        {
          flags: "--overlap <seconds>",
          text: "how long the previous secret continues to sign, 0 to 604800 (default: 86400)",
        },
      ],
      examples: [
        "yagate signing-secrets rotate > secret.txt",
        "yagate signing-secrets rotate billing --overlap 3600 > billing.txt",
      ],
      notes: [
        "Only the secret itself goes to standard output, and it cannot be shown again. Everything else goes to standard error.",
        "Until the overlap ends, each call is signed with both secrets. Give the new secret to every handler within that time.",
      ],
      scopes: SCOPES,
      output: { schema: "RotatedSigningSecret" },
      fieldOptions: { name: "the name", overlapSeconds: "--overlap" },
      run: async ({ args: [name], open, options }) =>
        (await import("../signing-secrets/rotate.ts")).rotateSigningSecret(await open(), name, options),
    },
  ],
};
