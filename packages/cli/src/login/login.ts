import { ApiError, type Yagate } from "@yagate/client";
import { toVisibleLine, YagateError } from "@yagate/protocol";
import { gatewayClient } from "../frame/gateway-client.ts";
import type { Invocation } from "../frame/invocation.ts";
import { DEFAULT_PROFILE, readKeyFile, type Sourced } from "../frame/profiles/connection.ts";
import { profilePath, writeProfile } from "../frame/profiles/profile-file.ts";
import { readHidden } from "../signing-secrets/read-hidden.ts";
import { readSecretInput } from "../signing-secrets/read-standard-input.ts";

/**
 * Saves a gateway and a key as a profile after the gateway has accepted the key.
 *
 * @throws YagateError `NOT_CONFIGURED` without a URL or a key; `UNAUTHENTICATED` if the gateway rejects the key;
 *   `CONNECTION_FAILED`.
 */
export async function login(invocation: Invocation): Promise<void> {
  const { globals, output } = invocation;
  const profile = globals.profile ?? process.env["YAGATE_PROFILE"] ?? DEFAULT_PROFILE;
  const url = urlOf(globals.url);
  const apiKey = await readKey(invocation);
  await assertAccepted(gatewayClient({ url, apiKey }, globals.debug === true));
  const file = profilePath(process.env);
  writeProfile(file, profile, { url: url.value, apiKey: apiKey.value });
  output.done(
    { profile, url: url.value, file },
    toVisibleLine(`The profile ${profile} for ${url.value} was saved in ${file}.`),
  );
}

function urlOf(option: string | undefined): Sourced {
  if (option !== undefined) return { value: option, source: "--url" };
  const value = process.env["YAGATE_BASE_URL"] ?? "";
  if (value !== "") return { value, source: "YAGATE_BASE_URL" };
  throw new YagateError("NOT_CONFIGURED", "expected the URL of the gateway", {
    hint: "add --url, such as --url http://127.0.0.1:4820",
  });
}

async function readKey(invocation: Invocation): Promise<Sourced> {
  const { apiKeyFile } = invocation.globals;
  if (apiKeyFile !== undefined) return { value: readKeyFile(apiKeyFile), source: apiKeyFile };
  const terminal = invocation.terminal();
  const value = terminal.isInteractive ? await readHidden("API key: ", terminal) : await readSecretInput();
  if (value.trim() !== "") return { value: value.trim(), source: "standard input" };
  throw new YagateError("NOT_CONFIGURED", "expected an API key", {
    hint: "pass the file that contains it with --api-key-file, or the key itself on standard input",
  });
}

/**
 * Checks that the gateway accepts the key. Every valid key can request the usage of its workspace or gets an error
 * about its scope, which does not make the login fail.
 */
async function assertAccepted(client: Yagate): Promise<void> {
  try {
    await client.usage.get();
  } catch (error) {
    if (ApiError.is(error) && error.code === "FORBIDDEN") return;
    throw error;
  }
}
