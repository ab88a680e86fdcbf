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
  /** Security schemes that are preferred if there is a choice. */
  readonly preferred: readonly string[];
}

/**
 * Proposes the secret for the first supported alternative of an operation.
 *
 * @param security - the list of the operation, or else of the document.
 */
export function proposedAuth(
  security: readonly SecurityAlternative[],
  { document, references, host, note, preferred }: AuthContext,
): ProposedAuth | null {
  const alternatives = security.map(Object.keys);
  const isPreferred = (names: readonly string[]) => names.some((name) => preferred.includes(name));
  if (alternatives.length === 0) return null;
  if (alternatives.some((names) => names.length === 0) && !alternatives.some(isPreferred)) return null;
  // Alternatives with the fewest secrets come first, because a request contains only one.
  const inOrder = alternatives.toSorted(
    (one, other) => Number(isPreferred(other)) - Number(isPreferred(one)) || one.length - other.length,
  );
  for (const names of inOrder) {
    for (const scheme of names.toSorted((one, other) => Number(isPreferred([other])) - Number(isPreferred([one])))) {
      const known = toAuth(schemeNamed(scheme, document, references));
      if (known === undefined) continue;
      const others = names.filter((name) => name !== scheme);
      if (others.length > 0)
        note(`the operation also needs ${others.join(" and ")}, but a request can contain only one credential`);
      return { scheme, host, ...known };
    }
  }
  note("the operation requires an authentication scheme that is not supported");
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
    if (place === "header")
      return { auth: { type: "header", name }, setup: `The API key that is sent in the header ${name}.` };
    if (place === "query") return { auth: { type: "query_param", name }, setup: "The API key." };
  }
  if (type === "http" && typeof scheme === "string") {
    if (scheme.toLowerCase() === "bearer") return { auth: { type: "bearer" }, setup: "The token." };
    if (scheme.toLowerCase() === "basic") {
      return { auth: { type: "basic" }, setup: "The user name and password." };
    }
  }
  if (type === "oauth2" || type === "openIdConnect") {
    const setup = "A long-lived access token; the gateway does not renew it.";
    return { auth: { type: "bearer" }, setup };
  }
  return undefined;
}
