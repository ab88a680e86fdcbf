import { YagateError } from "@yagate/protocol";
import { providersFromEnvironment } from "../models/provider-settings.ts";
import type { GatewayConfig } from "./gateway-config.ts";

type Read = (text: string) => unknown;

const list: Read = (text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
const text: Read = (value) => value;
// What is not a number stays text, so that the schema says what was expected.
const number: Read = (value) => (/^\d+$/.test(value) ? Number(value) : value);
const numbers: Read = (value) => (list(value) as string[]).map(number);

/** Every variable that the gateway reads, and the setting that it sets. */
export const ENVIRONMENT = {
  YAGATE_PORT: { setting: "port", read: number },
  YAGATE_HOST: { setting: "host", read: text },
  YAGATE_DATA_DIR: { setting: "dataDir", read: text },
  DATABASE_URL: { setting: "databaseUrl", read: text },
  YAGATE_API_KEY: { setting: "apiKey", read: text },
  YAGATE_MASTER_KEYS: { setting: "masterKeys", read: text },
  YAGATE_ALLOW_CIDRS: { setting: "allowCidrs", read: list },
  YAGATE_ALLOW_PORTS: { setting: "allowPorts", read: numbers },
  YAGATE_PUBLIC_URL: { setting: "publicUrl", read: text },
  YAGATE_SIGNING_SECRET: { setting: "signingSecret", read: text },
  YAGATE_MAX_CONCURRENT_EXECUTIONS: { setting: "maxConcurrentExecutions", read: number },
  YAGATE_DRAIN_MS: { setting: "drainMs", read: number },
  YAGATE_LOG_LEVEL: { setting: "logLevel", read: text },
} as const satisfies Record<string, { setting: keyof GatewayConfig; read: Read }>;

// Read by the client and the command line, not by the gateway; no typo either.
const FOREIGN: ReadonlySet<string> = new Set(["YAGATE_BASE_URL"]);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings that the environment gives. An empty variable counts as not set.
 *
 * @throws YagateError `INVALID_REQUEST` for a variable that starts with `YAGATE_` and means nothing: a typo.
 */
export function configFromEnvironment(environment: Environment): Record<string, unknown> {
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith("YAGATE_") && !Object.hasOwn(ENVIRONMENT, name) && !FOREIGN.has(name),
  );
  if (unknown.length > 0) {
    const known = Object.keys(ENVIRONMENT).join(", ");
    throw new YagateError("INVALID_REQUEST", `unknown variables: ${unknown.join(", ")}; expected some of ${known}`, {
      hint: "correct or remove the named variables",
    });
  }
  const config: Record<string, unknown> = {};
  for (const [name, { setting, read }] of Object.entries(ENVIRONMENT)) {
    const value = environment[name];
    if (value !== undefined && value !== "") config[setting] = read(value);
  }
  const providers = providersFromEnvironment(environment);
  return Object.keys(providers).length === 0 ? config : { ...config, providers };
}

/** The variable behind a setting, for messages; the setting's own name where there is none. */
export function variableOf(path: string): string {
  const setting = path.split(/[.[]/, 1)[0];
  return Object.entries(ENVIRONMENT).find(([, entry]) => entry.setting === setting)?.[0] ?? path;
}
