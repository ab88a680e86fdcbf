import { VARIABLE_NAMES } from "@yagate/gateway";

const OWN: Readonly<Record<string, string>> = {
  YAGATE_BASE_URL: "URL of the gateway; --url comes first",
  YAGATE_API_KEY: "API key; --api-key-file comes first. yagate serve requires it as the gateway's first key",
  YAGATE_PROFILE: "profile to use; --profile comes first",
  YAGATE_SIGNING_SECRET: "signing secret for verify and conformance; dev and serve import it",
  YAGATE_DOCS_URL: "where the documentation is published; links in messages then lead there",
  XDG_CONFIG_HOME: "profiles are in yagate/profiles.json below it (default: ~/.config)",
  NO_COLOR: "print without colours",
  FORCE_COLOR: "print with colours although the output is not a terminal",
};

/** The environment variables that are read. The gateway itself knows which ones are its own. */
export function environmentHelp() {
  const gateway = VARIABLE_NAMES.settings.filter((name) => !Object.hasOwn(OWN, name));
  return { own: OWN, gateway, providerKeys: VARIABLE_NAMES.providerKeys };
}
