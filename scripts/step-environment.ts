import { delimiter, dirname } from "node:path";

const OWN_SETTINGS = /^(YAGATE_|DATABASE_URL$)|_(API_KEY|BASE_URL)$/;
const NPM_SETTINGS = /^npm_(?!config_(registry|cache|userconfig|globalconfig)$|execpath$)/i;

/**
 * The environment of every command that verification starts: this Node first in PATH, plain text instead of colours,
 * and none of the developer's own model keys or gateway settings, so that the result depends on the checkout alone.
 */
export function stepEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !OWN_SETTINGS.test(name) && !NPM_SETTINGS.test(name) && name !== "FORCE_COLOR",
  );
  const environment: NodeJS.ProcessEnv = { ...Object.fromEntries(kept), NO_COLOR: "1" };
  environment["PATH"] = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  return environment;
}
