import type { JsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";
import { unusedName } from "@yagate/lib/text/unused-name";
import {
  HTTP_METHODS,
  MAX_TOOL_NAME_LENGTH,
  type RestDefinition,
  type RestParameter,
  restDefinitionSchema,
} from "@yagate/protocol";
import { MAX_DEFINITION_BYTES } from "../definition-limits.ts";
import { checkRestNames } from "../rest/check-rest-names.ts";
import { checkRestPlaces } from "../rest/check-rest-places.ts";
import { checkRestValues } from "../rest/check-rest-values.ts";
import { wireNameOf } from "../rest/rest-parameters.ts";
import { parseRestUrl } from "../rest/rest-url.ts";
import { convertBody } from "./convert-body.ts";
import { convertParameters } from "./convert-parameters.ts";
import { SchemaConverter } from "./convert-schema.ts";
import type { DocumentReferences } from "./document-references.ts";
import type { OpenApiDraft, ProposedAuth } from "./openapi-import.ts";
import { securityOf } from "./operation-security.ts";
import { proposedAuth } from "./proposed-auth.ts";
import { serverUrl } from "./server-url.ts";
import { SkipOperation } from "./skip-operation.ts";

/** An operation of a document. */
export interface Operation {
  /** Method and path, such as `GET /pets/{petId}`. */
  readonly key: string;
  /** The HTTP method in upper case. */
  readonly method: string;
  /** The path in the API, such as `/pets/{petId}`. */
  readonly route: string;
  /** JSON pointer of the operation. */
  readonly path: string;
  readonly value: JsonObject;
  /** The path item, which the operations of the path share. */
  readonly shared: JsonObject;
  readonly sharedPath: string;
}

/** What the operations of a document share during the conversion. */
export interface OperationContext {
  readonly document: JsonObject;
  readonly references: DocumentReferences;
  readonly server?: string | undefined;
  /** Preferred security schemes. */
  readonly schemes?: readonly string[] | undefined;
  /** Names of the drafts so far. */
  readonly names: Set<string>;
}

const MAX_PARAMETERS = 100;
const MAX_NOTES = 30;
const MAX_OPERATION_ID = 200;
/** Bytes of the maximum size that are reserved for the name of a credential and a prefix, which may be added later. */
const ADDED_BYTES = 1_024;

/** The usual side effect of a method, which the author can correct. */
const SIDE_EFFECTS: ReadonlyMap<string, RestDefinition["sideEffect"]> = new Map([
  ["POST", "non_idempotent_write"],
  ["PATCH", "non_idempotent_write"],
  ["PUT", "idempotent_write"],
  ["DELETE", "destructive"],
] as const);

/**
 * Converts an operation to a draft.
 * @throws SkipOperation for an operation that can't be converted to a definition.
 */
export async function convertOperation(operation: Operation, context: OperationContext): Promise<OpenApiDraft> {
  const { key, route, path, value, shared, sharedPath } = operation;
  const { document, references } = context;
  const method = HTTP_METHODS.find((one) => one === operation.method);
  if (method === undefined) throw new SkipOperation(path, `${operation.method} requests are not supported`);
  const noted = new Set<string>();
  const note = (text: string) => void noted.add(text);
  const lists = [value["servers"], shared["servers"], document["servers"]];
  const base = serverUrl(lists, appendPointer(path, "servers"), context.server);
  const [sent = "", fragment] = route.split("#");
  // Some documents use a fragment to distinguish two operations with the same URL.
  if (fragment !== undefined) note(`#${fragment.slice(0, 100)} of the path is omitted: a fragment is never sent`);
  const parsed = parseRestUrl(base + sent);
  if (!("url" in parsed)) throw new SkipOperation(path, parsed.problems[0]?.message ?? "expected a url");
  const { url } = parsed;
  const part = { references, schemas: new SchemaConverter(references, note), names: new Set<string>(), note };
  const ofLists = [
    { value: shared["parameters"], path: appendPointer(sharedPath, "parameters") },
    { value: value["parameters"], path: appendPointer(path, "parameters") },
  ];
  const host = new URL(url.origin).hostname;
  const security = securityOf(value["security"] ?? document["security"]);
  const auth = proposedAuth(security, { document, references, host, note, preferred: context.schemes ?? [] });
  const inUrl = convertParameters(ofLists, url.placeholders, part).filter((one) => !carriesSecret(one, auth));
  const body = convertBody(value["requestBody"], appendPointer(path, "requestBody"), { ...part, method });
  const parameters = within([...inUrl, ...(body?.parameters ?? [])], path, note);
  if (new URL(url.origin).protocol === "http:")
    note("the server does not use https: calls need an allowlisted network");
  const definition: RestDefinition = {
    name: operationName(value["operationId"], method, route, context.names),
    ...aliasOf(value),
    description: descriptionOf(value, key),
    method,
    url: base + sent,
    parameters,
    ...(body?.format === "form" ? { bodyFormat: "form" as const } : {}),
    ...(body?.isRequired === false ? { bodyRequired: false } : {}),
    ...warningsOf(value),
    ...tagsOf(value),
    ...(SIDE_EFFECTS.has(method) ? { sideEffect: SIDE_EFFECTS.get(method) } : {}),
  };
  const notes = [...noted].slice(0, MAX_NOTES);
  const operationId = operationIdOf(value);
  return { operation: key, operationId, definition: await checked(definition, path), auth, security, notes };
}

/** Returns the id of an operation; null if it has none. */
export function operationIdOf({ operationId }: JsonObject): string | null {
  return typeof operationId === "string" && operationId !== "" ? operationId.slice(0, MAX_OPERATION_ID) : null;
}

/** Checks whether a parameter contains the credential, which is sent separately. */
function carriesSecret(parameter: RestParameter, proposed: ProposedAuth | null): boolean {
  if (proposed === null) return false;
  const { auth } = proposed;
  const name = wireNameOf(parameter);
  if (auth.type === "query_param") return parameter.in === "query" && name === auth.name;
  if (auth.type !== "header" || parameter.in !== "header") return false;
  return name.toLowerCase() === auth.name.toLowerCase();
}

function within(parameters: readonly RestParameter[], path: string, note: (text: string) => void): RestParameter[] {
  if (parameters.length <= MAX_PARAMETERS) return [...parameters];
  const isNeeded = ({ required, in: place, value }: RestParameter) =>
    required === true || place === "path" || value !== undefined;
  const needed = parameters.filter(isNeeded);
  if (needed.length > MAX_PARAMETERS) {
    throw new SkipOperation(path, `expected at most ${MAX_PARAMETERS} required parameters`);
  }
  note(
    `${parameters.length - MAX_PARAMETERS} optional parameters are omitted: a tool can have at most ${MAX_PARAMETERS}`,
  );
  const kept = new Set(parameters.filter((one) => !isNeeded(one)).slice(0, MAX_PARAMETERS - needed.length));
  return parameters.filter((one) => isNeeded(one) || kept.has(one));
}

function aliasOf({ summary }: JsonObject): Pick<RestDefinition, "alias"> {
  return typeof summary === "string" && summary.trim() !== "" ? { alias: summary.trim().slice(0, 200) } : {};
}

function descriptionOf({ summary, description }: JsonObject, key: string): string {
  const texts = [summary, description].filter((one) => typeof one === "string").map((text) => text.trim());
  const text = [...new Set(texts)].filter((one) => one !== "").join("\n\n");
  return (text === "" ? key : text).slice(0, 4_000);
}

function warningsOf({ deprecated }: JsonObject): Pick<RestDefinition, "warnings"> {
  const message = "The API's provider has deprecated this operation: it may stop working.";
  return deprecated === true ? { warnings: [{ severity: "warning", message }] } : {};
}

function tagsOf({ tags }: JsonObject): Pick<RestDefinition, "tags"> {
  const texts = (Array.isArray(tags) ? tags : []).filter((tag) => typeof tag === "string" && tag !== "");
  return texts.length === 0 ? {} : { tags: texts.slice(0, 20).map((tag: string) => tag.slice(0, 50)) };
}

/** Checks that the draft can be saved. */
async function checked(definition: RestDefinition, path: string): Promise<RestDefinition> {
  const parsed = restDefinitionSchema.safeParse(definition);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SkipOperation(path, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "expected a definition"}`);
  }
  const findings = [checkRestNames, checkRestPlaces].flatMap((check) => check(parsed.data, "rest"));
  findings.push(...(await checkRestValues(parsed.data, "rest")));
  const error = findings.find(({ severity }) => severity === "error");
  if (error !== undefined) throw new SkipOperation(path, `${error.path}: ${error.message}`);
  if (Buffer.byteLength(JSON.stringify(parsed.data)) > MAX_DEFINITION_BYTES - ADDED_BYTES) {
    throw new SkipOperation(path, `expected a definition of at most ${MAX_DEFINITION_BYTES} bytes of JSON`);
  }
  return parsed.data;
}

/**
 * Returns the tool name for an operation: its id in snake case, or its method and path.
 *
 * @param taken - names in use; the new name is added.
 */
function operationName(id: unknown, method: string, path: string, taken: Set<string>): string {
  const own = typeof id === "string" ? snakeCase(id) : "";
  const text = own === "" ? snakeCase(`${method} ${path}`) : own;
  const name = unusedName(/^[a-z]/.test(text) ? text : `op_${text}`, taken, MAX_TOOL_NAME_LENGTH);
  taken.add(name);
  return name;
}

function snakeCase(text: string): string {
  return text
    .slice(0, 500)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}
