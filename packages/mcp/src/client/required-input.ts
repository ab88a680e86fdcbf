import { isJsonObject } from "@yagate/lib/json/json-object";
import { listShapeProblems } from "@yagate/lib/json/json-shape";
import { defined } from "@yagate/lib/objects/defined";
import { type InputQuestion, MAX_INPUT_QUESTIONS, toVisibleText } from "@yagate/protocol";
import { McpCallError } from "./call-error.ts";
import { asksForSecret, formOf } from "./forms.ts";
import type { McpRequiredInput } from "./port.ts";

/** Maximum size of the state that a server wants to receive back, and of all questions of a round, in bytes: 64 KiB. */
const MAX_STATE_BYTES = 65_536;
const MAX_QUESTIONS_BYTES = 65_536;
const MAX_MESSAGE_CHARACTERS = 4_000;
const MAX_KEY_CHARACTERS = 200;
const MAX_URL_CHARACTERS = 2_048;
const MAX_DEPTH = 16;

/**
 * Reads what a server requires before it continues a call. The library checks nothing of it.
 *
 * @throws McpCallError `INPUT_REFUSED` for everything except questions to a person: sampling, roots, forms that ask for
 *   secrets or that cannot be checked, and requests past a limit.
 */
export function readRequiredInput(result: unknown): McpRequiredInput {
  const { inputRequests = {}, requestState } = isJsonObject(result) ? result : {};
  if (requestState !== undefined && typeof requestState !== "string") throw refused("a state that is not text");
  if (requestState !== undefined && Buffer.byteLength(requestState) > MAX_STATE_BYTES) {
    throw refused(`a state of more than ${MAX_STATE_BYTES} bytes`);
  }
  const limits = { maxDepth: MAX_DEPTH, maxCharacters: MAX_QUESTIONS_BYTES };
  if (!isJsonObject(inputRequests) || listShapeProblems(inputRequests, limits).length > 0) {
    throw refused(`questions of more than ${MAX_QUESTIONS_BYTES} bytes, or with a name that is never allowed`);
  }
  const requests = Object.entries(inputRequests);
  if (requests.length > MAX_INPUT_QUESTIONS) throw refused(`more than ${MAX_INPUT_QUESTIONS} questions at once`);
  return {
    questions: requests.map(([key, request]) => toQuestion(key, request)),
    ...defined({ requestState }),
  };
}

function toQuestion(key: string, request: unknown): InputQuestion {
  if (key === "" || key.length > MAX_KEY_CHARACTERS) throw refused("a question without a usable key");
  const { method, params } = isJsonObject(request) ? request : {};
  if (method === "sampling/createMessage") throw refused("a model's reply (sampling)");
  if (method === "roots/list") throw refused("a list of folders (roots)");
  if (method !== "elicitation/create" || !isJsonObject(params)) throw refused("something unknown");
  const { mode = "form", message } = params;
  if (typeof message !== "string" || message.length > MAX_MESSAGE_CHARACTERS) {
    throw refused(`a question without a text, or with one of more than ${MAX_MESSAGE_CHARACTERS} characters`);
  }
  const question = { key, message: toVisibleText(message) };
  if (mode === "url") return { ...question, mode, url: toPageUrl(params["url"]) };
  if (mode !== "form") throw refused("a question of an unknown mode");
  const requested = params["requestedSchema"];
  if (asksForSecret(message, requested)) throw refused("a password or another secret, which no form may ask for");
  const schema = formOf(requested);
  if (schema === undefined) throw refused("a form whose fields the gateway cannot check");
  return { ...question, mode, schema };
}

function toPageUrl(url: unknown): string {
  if (typeof url !== "string" || url.length > MAX_URL_CHARACTERS || !URL.canParse(url)) throw refused("an invalid URL");
  const { protocol, username, password, href } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw refused("a URL that is not a web page");
  if (username !== "" || password !== "") throw refused("a URL with credentials");
  return href;
}

function refused(what: string): McpCallError {
  return new McpCallError("INPUT_REFUSED", `the MCP server required ${what}`, { outcome: "none" });
}
