import type { ImportedToolkit, SecretAuth } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { shellWord } from "../text/shell-word.ts";

type Need = ImportedToolkit["auth"][number];

/** Returns the commands that set up the secret for operations in an import and assign it to their tools. */
export function secretCommandsOf({ scheme, auth, host }: Need, toolkit: ImportedToolkit["toolkit"]): readonly string[] {
  const name = secretName(`${toolkit.name} ${scheme}`);
  const options = Object.entries(optionsOf(auth)).flatMap(([option, value]) => [option, shellWord(value)]);
  return [
    `${commandName()} secret set ${name} ${options.join(" ")} --host ${shellWord(host)}`,
    `${commandName()} toolkits delete ${toolkit.id} --archive-tools`,
    `then import again with --credential-for ${shellWord(`${scheme}=${name}`)}`,
  ];
}

function optionsOf(auth: SecretAuth): Readonly<Record<string, string>> {
  const name = auth.type === "header" || auth.type === "query_param" ? { "--auth-name": auth.name } : {};
  return { "--auth": auth.type, ...name };
}

function secretName(text: string): string {
  const name = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^[^A-Z]+|_+$/g, "");
  return name.slice(0, 64) || "API_KEY";
}
