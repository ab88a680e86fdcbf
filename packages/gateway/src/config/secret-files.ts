import { readFileSync, statSync } from "node:fs";
import { SEARCH_VARIABLES } from "@yagate/builtins/search/search-variables";
import { keyVariablesOf } from "@yagate/models/provider-settings";

type Environment = Readonly<Record<string, string | undefined>>;

const SUFFIX = "_FILE";
const OWN_SECRETS = ["YAGATE_API_KEY", "YAGATE_MASTER_KEYS", "YAGATE_SIGNING_SECRET", "DATABASE_URL"];
const SEARCH_KEYS = Object.keys(SEARCH_VARIABLES).filter((name) => name.endsWith("_API_KEY"));
const READABLE_BY_OTHERS = 0o004;
const WRITABLE_BY_OTHERS = 0o002;
/** More than any secret needs. A device such as /dev/zero has no size, and is not a regular file. */
const MAX_BYTES = 65_536;

/** An environment in which the values of secret files have taken the place of the variables that name the files. */
export interface ReadEnvironment {
  readonly environment: Environment;
  /** Why files could not be used, each with the variable and the path, never with a value. */
  readonly problems: readonly string[];
}

/**
 * Reads secrets from the files that variables such as `YAGATE_API_KEY_FILE` name, as containers and systemd provide
 * them. Every secret of the gateway has such a variable. One final line break is removed.
 */
export function readSecretFiles(environment: Environment): ReadEnvironment {
  const values: Record<string, string | undefined> = { ...environment };
  const problems: string[] = [];
  for (const name of [...OWN_SECRETS, ...SEARCH_KEYS, ...keyVariablesOf(environment)]) {
    const variable = `${name}${SUFFIX}`;
    const path = environment[variable] ?? "";
    delete values[variable];
    if (path === "") continue;
    const read = readSecretFile(path);
    if ((environment[name] ?? "") !== "") problems.push(`${variable}: ${name} is set too; set only one of them`);
    else if ("problem" in read) problems.push(`${variable}: ${path} ${read.problem}`);
    else values[name] = read.value;
  }
  return { environment: values, problems };
}

function readSecretFile(path: string): { readonly value: string } | { readonly problem: string } {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: "is not a file" };
    // Windows has no such modes.
    const mode = process.platform === "win32" ? 0 : stats.mode;
    if ((mode & READABLE_BY_OTHERS) !== 0) {
      return { problem: "can be read by other users: remove their permission (chmod o-r)" };
    }
    if ((mode & WRITABLE_BY_OTHERS) !== 0) {
      return { problem: "can be changed by other users: remove their permission (chmod o-w)" };
    }
    if (stats.size > MAX_BYTES) return { problem: `has more than ${MAX_BYTES} bytes` };
    const value = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return value === "" ? { problem: "is empty" } : { value };
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return { problem: isMissing ? "does not exist" : "cannot be read by this user" };
  }
}
