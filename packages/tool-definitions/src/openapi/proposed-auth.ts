import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";
import type { SecretAuth } from "@yagate/protocol";
import type { DocumentReferences } from "./document-references.ts";
import type { ProposedAuth, SecurityAlternative } from "./openapi-import.ts";

const SCHEMES = "/components/securitySchemes";

interface KnownScheme {
  readonly auth: SecretAuth;
  readonly setup: string;
}

interface AuthContext {
  readonly document: JsonObject;
  readonly references: DocumentReferences;
  readonly host: string;
  readonly note: (text: string) => void;
  /** Names of schemes to take where there is a choice. */
  readonly preferred: readonly string[];
}

/**
 * The secret that an operation needs, of its first alternative that can be done.
 *
 * @param security - of the operation, or else of the document.
 */
export function proposedAuth(
  security: readonly SecurityAlternative[],
  { document, references, host, note, preferred }: AuthContext,
): ProposedAuth | null {
  const alternatives = security.map(Object.keys);
  const isPreferred = (names: readonly string[]) => names.some((name) => preferred.includes(name));
  if (alternatives.length === 0) return null;
  if (alternatives.some((names) => names.length === 0) && !alternatives.some(isPreferred)) return null;
  // The fewest secrets first: a request carries one.
  const inOrder = alternatives.toSorted(
    (one, other) => Number(isPreferred(other)) - Number(isPreferred(one)) || one.length - other.length,
  );
  for (const names of inOrder) {
    for (const scheme of names.toSorted((one, other) => Number(isPreferred([other])) - Number(isPreferred([one])))) {
      const known = toAuth(schemeNamed(scheme, document, references));
      if (known === undefined) continue;
      const others = names.filter((name) => name !== scheme);
      if (others.length > 0) note(`the operation needs ${others.join(" and ")} too, which can't go along`);
      return { scheme, host, ...known };
    }
  }
  note("the operation needs an authentication that can't be done");
  return null;
}

function schemeNamed(name: string, document: JsonObject, references: DocumentReferences): JsonObject {
  const { components } = document;
  const schemes = isJsonObject(components) ? components["securitySchemes"] : undefined;
  if (!isJsonObject(schemes) || !Object.hasOwn(schemes, name)) return {};
  return references.resolve(schemes[name], appendPointer(SCHEMES, name)).value;
}

function toAuth({ type, scheme, in: place, name }: JsonObject): KnownScheme | undefined {
  if (type === "apiKey" && typeof name === "string") {
    if (place === "header") return { auth: { type: "header", name }, setup: `The key, as the header ${name} has it.` };
    if (place === "query") return { auth: { type: "query_param", name }, setup: "The key." };
  }
  if (type === "http" && typeof scheme === "string") {
    if (scheme.toLowerCase() === "bearer") return { auth: { type: "bearer" }, setup: "The token." };
    if (scheme.toLowerCase() === "basic") {
      return { auth: { type: "basic" }, setup: "The user name and the password." };
    }
  }
  if (type === "oauth2" || type === "openIdConnect") {
    const setup = "An access token; it is not renewed here, so one that lasts.";
    return { auth: { type: "bearer" }, setup };
  }
  return undefined;
}
