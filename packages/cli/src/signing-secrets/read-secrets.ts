import { readFile } from "node:fs/promises";
import { YagateError } from "@yagate/protocol";
import type { NamedSecret } from "./named-secret.ts";
import { readHidden, type Terminal } from "./read-hidden.ts";
import { readStandardInput } from "./read-standard-input.ts";
import { DEFAULT_SECRET_VARIABLE, type SecretSources } from "./secret-sources.ts";

/** Where a process can find a secret. */
export interface SecretSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
}

/**
 * Reads the signing secrets from the sources that a command's options set, in this order. The final line break of a
 * file is removed; other surrounding characters are kept, so that they can be reported.
 *
 * @throws YagateError `NOT_CONFIGURED` if a source contains no secret.
 */
export async function readSecrets(
  { secret: argument, secretEnv = [], secretFile = [], secretStdin = false }: SecretSources,
  { env, terminal }: SecretSurroundings,
): Promise<readonly NamedSecret[]> {
  if (argument !== undefined) throw onCommandLine("expected no secret as an argument");
  const secrets = secretEnv.map((name) => fromVariable(name, env));
  for (const path of secretFile) secrets.push({ name: path, value: await fromFile(path) });
  if (secretStdin) secrets.push({ name: "standard input", value: withoutLineEnd(String(await readStandardInput())) });
  if (secrets.length > 0) return secrets.map(assertGiven);
  if ((env[DEFAULT_SECRET_VARIABLE] ?? "") !== "") return [fromVariable(DEFAULT_SECRET_VARIABLE, env)];
  if (!terminal.isInteractive) throw nowhere();
  return [assertGiven({ name: "the secret that was typed", value: await readHidden("Signing secret: ", terminal) })];
}

function fromVariable(name: string, env: SecretSurroundings["env"]): NamedSecret {
  const value = env[name];
  if (value !== undefined) return { name: `$${name}`, value };
  if (name.startsWith("whsec_")) {
    throw onCommandLine("--secret-env: expected the name of a variable, but got a secret");
  }
  throw new YagateError("NOT_CONFIGURED", `expected a signing secret in the variable ${name}, which is not set`, {
    hint: `export ${name}, or use another source: --secret-env, --secret-file or --secret-stdin`,
  });
}

async function fromFile(path: string): Promise<string> {
  try {
    return withoutLineEnd(await readFile(path, "utf8"));
  } catch (cause) {
    throw new YagateError("NOT_CONFIGURED", `expected a signing secret in ${path}, which can't be read`, {
      hint: "check the path and its permissions",
      cause,
    });
  }
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function assertGiven(secret: NamedSecret): NamedSecret {
  if (secret.value.trim() !== "") return secret;
  throw new YagateError("NOT_CONFIGURED", `expected a signing secret in ${secret.name}, which is empty`, {
    hint: "a signing secret starts with whsec_",
  });
}

function onCommandLine(message: string): YagateError {
  return new YagateError("NOT_CONFIGURED", message, {
    hint: "it is now in the history of your shell: replace it (POST /v1/signing-secrets/rotate), and use --secret-env, --secret-file or --secret-stdin",
  });
}

function nowhere(): YagateError {
  return new YagateError("NOT_CONFIGURED", "expected a signing secret", {
    hint: `export ${DEFAULT_SECRET_VARIABLE}, or use another source: --secret-env, --secret-file or --secret-stdin. Never as an argument`,
  });
}
