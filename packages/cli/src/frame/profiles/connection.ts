import { readFileSync } from "node:fs";
import { YagateError } from "@yagate/protocol";
import { commandName } from "../../command-name.ts";
import type { GlobalOptions } from "../globals.ts";
import { type Profile, profilePath, readProfile } from "./profile-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The source of a value, for messages; never the value itself. */
export interface Sourced {
  readonly value: string;
  readonly source: string;
}

/** The URL of a gateway and a key for it. */
export interface Connection {
  readonly url: Sourced;
  readonly apiKey: Sourced;
}

export const DEFAULT_PROFILE = "default";

/**
 * Finds the gateway and the key. Options take precedence over variables, and variables over the profile; a profile
 * selected with `--profile` counts as an option. The key of a profile is sent only to the URL of that profile.
 *
 * @throws YagateError `NOT_CONFIGURED` with everything that is missing.
 */
export async function resolveConnection(globals: GlobalOptions, environment: Environment): Promise<Connection> {
  const profile = findProfile(globals, environment);
  const url = findUrl(globals, environment, profile);
  const apiKey = findApiKey(globals, environment, profile, url);
  if (url !== undefined && apiKey !== undefined) return { url, apiKey };
  const missing = [
    ...(url === undefined ? ["the URL of the gateway"] : []),
    ...(apiKey === undefined ? ["an API key"] : []),
  ];
  const variables = [
    ...(url === undefined ? ["export YAGATE_BASE_URL=…"] : []),
    ...(apiKey === undefined ? ["export YAGATE_API_KEY=…"] : []),
  ];
  throw new YagateError("NOT_CONFIGURED", `expected ${missing.join(" and ")}`, {
    hint: `${variables.join("\n")}\nor save both with ${commandName()} login; ${commandName()} dev prints them when it starts`,
  });
}

/** Finds the URL of the gateway, without a key. */
export async function resolveUrl(globals: GlobalOptions, environment: Environment): Promise<string | undefined> {
  return findUrl(globals, environment, findProfile(globals, environment))?.value;
}

interface NamedProfile extends Profile {
  readonly source: string;
  /** Whether the command line selects the profile, which then takes precedence over the environment. */
  readonly isOption: boolean;
}

function findProfile({ profile }: GlobalOptions, environment: Environment): NamedProfile | undefined {
  const asked = profile ?? given(environment, "YAGATE_PROFILE");
  const name = asked ?? DEFAULT_PROFILE;
  const path = profilePath(environment);
  const found = readProfile(path, name);
  if (found !== undefined) return { ...found, source: `the profile ${name}`, isOption: profile !== undefined };
  if (asked === undefined) return undefined;
  throw new YagateError("NOT_CONFIGURED", `profile ${name} does not exist in ${path}`, {
    hint: `${commandName()} login --profile ${name}`,
  });
}

function findUrl({ url }: GlobalOptions, environment: Environment, profile?: NamedProfile): Sourced | undefined {
  if (url !== undefined) return { value: url, source: "--url" };
  const ofProfile = profile === undefined ? undefined : { value: profile.url, source: profile.source };
  if (profile?.isOption) return ofProfile;
  const value = given(environment, "YAGATE_BASE_URL");
  return value === undefined ? ofProfile : { value, source: "YAGATE_BASE_URL" };
}

function findApiKey(
  { apiKeyFile }: GlobalOptions,
  environment: Environment,
  profile: NamedProfile | undefined,
  url: Sourced | undefined,
): Sourced | undefined {
  if (apiKeyFile !== undefined) return { value: readKeyFile(apiKeyFile), source: apiKeyFile };
  // The key must not be sent to another gateway.
  const isOwn = profile !== undefined && isSameUrl(url?.value, profile.url);
  const ofProfile = isOwn ? { value: profile.apiKey, source: profile.source } : undefined;
  if (profile?.isOption && isOwn) return ofProfile;
  return keyOfEnvironment(environment) ?? ofProfile;
}

/** The key of the variable, or of the file that a variable names, as for the gateway. */
function keyOfEnvironment(environment: Environment): Sourced | undefined {
  const value = given(environment, "YAGATE_API_KEY");
  const file = given(environment, "YAGATE_API_KEY_FILE");
  if (value !== undefined && file !== undefined) {
    throw new YagateError("NOT_CONFIGURED", "expected YAGATE_API_KEY or YAGATE_API_KEY_FILE, but both are set", {
      hint: "unset one of them",
    });
  }
  if (file !== undefined) return { value: readKeyFile(file), source: "YAGATE_API_KEY_FILE" };
  return value === undefined ? undefined : { value, source: "YAGATE_API_KEY" };
}

/**
 * Reads a key from a file, without the final line break.
 *
 * @throws YagateError `NOT_CONFIGURED` if the file cannot be read.
 */
export function readKeyFile(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new YagateError("NOT_CONFIGURED", `expected an API key in ${path}, which can't be read`, {
      hint: "check the path and its permissions",
      cause,
    });
  }
}

/** Returns the value of a variable. An empty value counts as not set, as in most shell scripts. */
function given(environment: Environment, name: string): string | undefined {
  return (environment[name] ?? "") === "" ? undefined : environment[name];
}

function isSameUrl(one: string | undefined, other: string): boolean {
  return one?.replace(/\/+$/, "") === other.replace(/\/+$/, "");
}
