import { isPlainHttpUrl } from "./plain-http-url.ts";
import { isKnownProvider, providerNameProblem, resolveProviderName } from "./provider-names.ts";

/** The list of OpenAI-compatible servers in the environment. */
export interface CompatibleProviders {
  /** The valid entries, in order. */
  readonly servers: readonly { readonly name: string; readonly baseUrl: string }[];
  /**
   * The problems with the other entries. Each message contains the entry's name, or its position if the name is
   * invalid. No message contains a URL.
   */
  readonly problems: readonly string[];
}

/**
 * A name that no server may have. `apiKeyVariableOf` would return the variable with the gateway's own key for it, and
 * that key must not be sent to a model server.
 */
const OWN_KEY_NAME = "yagate";

/** Parses a list such as `ollama=http://127.0.0.1:11434/v1,house=https://…`. Empty entries are skipped. */
export function readCompatibleProviders(list = ""): CompatibleProviders {
  const servers: { name: string; baseUrl: string }[] = [];
  const problems: string[] = [];
  const names = new Set<string>();
  const entries = list.split(",").map((entry) => entry.trim());
  for (const [index, entry] of entries.filter((text) => text !== "").entries()) {
    const [name = "", ...rest] = entry.split("=").map((part) => part.trim());
    const baseUrl = rest.join("=");
    const problem = nameProblem(name, names) ?? urlProblem(baseUrl);
    names.add(name);
    if (problem === undefined) servers.push({ name, baseUrl });
    else problems.push(`${isName(name) ? name : `entry ${index + 1}`}: ${problem}`);
  }
  return { servers, problems };
}

function nameProblem(name: string, earlier: ReadonlySet<string>): string | undefined {
  if (isKnownProvider(resolveProviderName(name))) {
    return "expected another name: this is a known provider with its own variables";
  }
  if (name === OWN_KEY_NAME) return "expected another name: its key would be read from YAGATE_API_KEY";
  if (earlier.has(name)) return "expected each name once";
  const problem = providerNameProblem(name);
  return problem === undefined || isName(name) ? problem : `expected name=URL; name: ${problem}`;
}

function urlProblem(baseUrl: string): string | undefined {
  if (baseUrl === "") return "expected name=URL";
  if (isPlainHttpUrl(baseUrl)) return undefined;
  return "expected name=URL, with an http or https URL without credentials, query or fragment";
}

/** Checks whether the text is a valid name, which a message may repeat. Other texts may be URLs or keys. */
function isName(text: string): boolean {
  return /^[a-z][a-z0-9_-]{0,63}$/.test(text);
}
