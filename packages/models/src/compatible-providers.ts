import { isPlainHttpUrl } from "./plain-http-url.ts";
import { isKnownProvider, providerNameProblem, resolveProviderName } from "./provider-names.ts";

/** The list of OpenAI-compatible servers as the environment has it. */
export interface CompatibleProviders {
  /** The entries that nothing is wrong with, in their order. */
  readonly servers: readonly { readonly name: string; readonly baseUrl: string }[];
  /** What is wrong with the others. An entry is named by its name, or by its place where it has none; never by its URL. */
  readonly problems: readonly string[];
}

/** What `apiKeyVariableOf` would make of it is the gateway's own key, which no model server may get. */
const OWN_KEY_NAME = "yagate";

/** Reads `ollama=http://127.0.0.1:11434/v1,house=https://…`; empty entries are passed over. */
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
    return "expected another name: this one stands for a known provider, which has variables of its own";
  }
  if (name === OWN_KEY_NAME) return "expected another name: its key would be read from YAGATE_API_KEY";
  if (earlier.has(name)) return "expected each name once";
  const problem = providerNameProblem(name);
  return problem === undefined || isName(name) ? problem : `expected name=URL; of the name, ${problem}`;
}

function urlProblem(baseUrl: string): string | undefined {
  if (baseUrl === "") return "expected name=URL";
  if (isPlainHttpUrl(baseUrl)) return undefined;
  return "expected name=URL, with an http or https URL without credentials, query or fragment";
}

/** What looks like a name can be repeated; anything else may be a URL, or a key. */
function isName(text: string): boolean {
  return /^[a-z][a-z0-9_-]{0,63}$/.test(text);
}
