import { VARIABLE_NAMES } from "@yagate/gateway";

const OWN: Readonly<Record<string, string>> = {
  YAGATE_BASE_URL: "URL of the gateway; --url takes precedence",
  YAGATE_API_KEY: "API key; --api-key-file takes precedence. yagate serve requires it and uses it as the bootstrap key",
  YAGATE_API_KEY_FILE:
    "file that contains the API key, instead of YAGATE_API_KEY. dev and serve accept such a variable for every secret",
  YAGATE_PROFILE: "profile to use; --profile takes precedence",
  YAGATE_SIGNING_SECRET: "signing secret for verify and conformance; dev and serve import it",
  YAGATE_DOCS_URL: "where the documentation is published; links in messages point there",
  XDG_CONFIG_HOME: "profiles are stored in profiles.json in its subfolder yagate (default: ~/.config)",
  XDG_CACHE_HOME:
    "compiled code is kept in its subfolder yagate (default: ~/.cache), so that commands start faster. The folder must belong to the user; nothing is kept for root",
  NODE_DISABLE_COMPILE_CACHE: "set it to 1 to turn this cache off",
  NO_COLOR: "print without colours",
  FORCE_COLOR: "print with colours even if the output is not a terminal",
};

/** Returns the environment variables of the command line. The gateway declares its own. */
export function environmentHelp() {
  const gateway = VARIABLE_NAMES.settings.filter((name) => !Object.hasOwn(OWN, name));
  return { own: OWN, gateway, providerKeys: VARIABLE_NAMES.providerKeys };
}
