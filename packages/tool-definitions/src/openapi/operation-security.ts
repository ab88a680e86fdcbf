import { isJsonObject } from "@yagate/lib/json/json-object";
import type { SecurityAlternative } from "./openapi-import.ts";

const MAX_ALTERNATIVES = 20;
const MAX_SCHEMES = 10;
const MAX_SCOPES = 50;
const MAX_CHARACTERS = 200;

/**
 * Returns the alternatives in a `security` list, in order.
 * @param requirements - the list from the document.
 */
export function securityOf(requirements: unknown): readonly SecurityAlternative[] {
  const alternatives = (Array.isArray(requirements) ? requirements : []).filter(isJsonObject);
  return alternatives.slice(0, MAX_ALTERNATIVES).map((alternative) => {
    const schemes = Object.entries(alternative).slice(0, MAX_SCHEMES);
    return Object.fromEntries(schemes.map(([scheme, scopes]) => [scheme.slice(0, MAX_CHARACTERS), textsOf(scopes)]));
  });
}

function textsOf(scopes: unknown): readonly string[] {
  const texts = (Array.isArray(scopes) ? scopes : []).filter((scope) => typeof scope === "string");
  return texts.slice(0, MAX_SCOPES).map((scope: string) => scope.slice(0, MAX_CHARACTERS));
}
