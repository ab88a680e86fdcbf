import type { Yagate } from "@yagate/client";
import { defined } from "@yagate/lib/objects/defined";
import { type BasicCredential, putSecretSchema, secretNameSchema, toFieldErrors, YagateError } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { WrongFieldsError } from "../frame/wrong-fields.ts";
import { readHidden, type Terminal } from "../signing-secrets/read-hidden.ts";
import { readSecretInput } from "../signing-secrets/read-standard-input.ts";

export interface SetSecretOptions {
  readonly host?: readonly string[];
  readonly auth?: string;
  readonly authName?: string;
  readonly authIssuer?: string;
  readonly authSubject?: string;
  readonly authAudience?: string;
  readonly authExpires?: string;
}

/**
 * Sets a secret of the workspace.
 *
 * @throws YagateError `INVALID_REQUEST` for an invalid value; `CANCELLED` if none was entered.
 */
export async function setSecret(
  invocation: Invocation,
  name: string,
  { host: hosts, ...use }: SetSecretOptions,
  hasMoreArguments: boolean,
): Promise<void> {
  if (hasMoreArguments) {
    throw new YagateError(
      "INVALID_REQUEST",
      "expected no value as an argument: type it, or pass it on standard input",
      {
        hint: "replace the value: it may be in the history of your shell, and other users of this machine could have read it",
      },
    );
  }
  // Validated before the prompt, so that no user enters a value that could not be sent.
  const client = await invocation.client();
  const parsedName = secretNameSchema.safeParse(name);
  if (!parsedName.success) throw refusal(parsedName.error);
  const auth = authOf(use);
  const secret = putSecretSchema.safeParse({
    value: await readSecret(name, invocation, (mayBePair) =>
      use.auth === undefined ? mayBePair && isStoredAsPair(client, name) : use.auth === "basic",
    ),
    ...(Object.keys(auth).length > 0 ? { auth } : {}),
    ...defined({ hosts }),
  });
  if (!secret.success) throw refusal(secret.error);
  const saved = await client.secrets.set(name, secret.data);
  invocation.output.done(saved, `${name} was set at ${saved.updatedAt}.`);
  invocation.output.warnings(saved.warnings);
}

/** Returns only the options that are given: the schema rejects those that do not belong to the type. */
function authOf(use: Omit<SetSecretOptions, "host">): Readonly<Record<string, unknown>> {
  const { auth: type, authName: name, authIssuer: issuer, authSubject: subject, authAudience: audience } = use;
  const expiresInSeconds = use.authExpires === undefined ? undefined : Number(use.authExpires);
  const fields = Object.entries({ type, name, issuer, subject, audience, expiresInSeconds });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function refusal(error: Parameters<typeof toFieldErrors>[0]): YagateError {
  return new WrongFieldsError(toFieldErrors(error));
}

/** Checks whether the stored secret is a user name and a password, which a change without `--auth` keeps. */
async function isStoredAsPair(client: Yagate, name: string): Promise<boolean> {
  for await (const secret of client.secrets.list({ limit: 200 }))
    if (secret.name === name) return secret.auth?.type === "basic";
  return false;
}

/**
 * Reads the value of the secret.
 *
 * @param isPair - called if the options alone do not decide whether it is a pair.
 */
async function readSecret(
  name: string,
  invocation: Invocation,
  isPair: (mayBePair: boolean) => boolean | Promise<boolean>,
): Promise<string | BasicCredential> {
  const terminal = invocation.terminal();
  if (!terminal.isInteractive) {
    const line = await readLine();
    return (await isPair(line.includes(":"))) ? toPair(line) : line;
  }
  if (!(await isPair(true))) return ask(`Value of ${name}`, terminal);
  // Some services use API keys as user names, so neither part is shown.
  const username = await ask(`User name of ${name}`, terminal);
  return { username, password: await ask(`Password of ${name}`, terminal) };
}

function toPair(line: string): BasicCredential {
  const [username = "", ...rest] = line.split(":");
  if (rest.length > 0) return { username, password: rest.join(":") };
  throw new YagateError("INVALID_REQUEST", "expected a user name, a colon and a password on standard input");
}

async function ask(question: string, terminal: Terminal): Promise<string> {
  return (await readHidden(`${question}: `, terminal)).trim();
}

/** Reads one line. The final line break of a file is not part of the value. */
async function readLine(): Promise<string> {
  return (await readSecretInput()).replace(/\r?\n$/, "");
}
