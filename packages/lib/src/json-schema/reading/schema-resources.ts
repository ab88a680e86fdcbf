import { isJsonObject, type JsonObject } from "../../json/json-object.ts";
import { appendPointer, parsePointer } from "../../json/json-pointer.ts";
import { cutText } from "../../text/cut-text.ts";
import { SchemaProblem, withDraft } from "../schema-problem.ts";
import { customDialect, type Dialect, standardDialect } from "./dialect.ts";
import { type Draft, draftOf, isFrom } from "./drafts.ts";
import { META_SCHEMAS } from "./meta-schemas.ts";
import { subschemasOf } from "./subschemas-of.ts";

/** A schema that has an identifier, with the targets of the fragments in it. */
export interface SchemaResource {
  readonly uri: string;
  readonly root: unknown;
  readonly dialect: Dialect;
  readonly anchors: Map<string, unknown>;
  readonly dynamicAnchors: Map<string, JsonObject>;
}

/** The location of a schema. */
export interface SchemaPlace {
  readonly resource: SchemaResource;
  /** URI of the document; empty for the schema itself. */
  readonly document: string;
  /** JSON pointer in the document. */
  readonly pointer: string;
}

/** The target of a reference. A schema may be a boolean. */
export interface ReferenceTarget {
  readonly schema: unknown;
  readonly resource: SchemaResource;
}

/** The base URI of a schema without an identifier. Relative references resolve to documents under this URI. */
const HERE = "json-schema:///";

/** A schema and the documents to which it may refer. Documents are never fetched. */
export class SchemaResources {
  readonly main: SchemaResource;
  readonly #resources = new Map<string, SchemaResource>();
  readonly #places = new Map<JsonObject, SchemaPlace>();
  /** Documents that were passed but have not been referenced yet. */
  readonly #waiting: Map<string, unknown>;
  readonly #defaultDraft: Draft;
  #asksForUnevaluated = false;
  /**
   * The targets of references that have been followed. A key consists of base and reference, joined with a space,
   * because URIs can't contain spaces.
   */
  readonly #targets = new Map<string, ReferenceTarget>();

  /**
   * @param documents - schemas by the URIs that references use.
   * @param draft - the draft of schemas that do not declare one.
   * @throws SchemaProblem if the schema can't be used.
   */
  constructor(schema: unknown, documents: Readonly<Record<string, unknown>>, draft: Draft) {
    this.#defaultDraft = draft;
    this.#waiting = new Map(
      Object.entries(documents).map(([uri, document]) => [resolveUri(uri, HERE, "")[0], document]),
    );
    this.main = this.#addDocument(schema, HERE, "");
  }

  /**
   * Whether the outcome of any schema depends on what other schemas evaluated. If not, evaluation does not need to be
   * recorded.
   */
  get asksForUnevaluated(): boolean {
    return this.#asksForUnevaluated;
  }

  /** Yields all schemas in the documents that have been read so far, except meta-schemas. */
  *schemas(): Iterable<readonly [JsonObject, SchemaPlace]> {
    // If following a reference adds schemas, the iterator of the Map includes them.
    for (const entry of this.#places) if (!META_SCHEMAS.has(entry[1].document)) yield entry;
  }

  /**
   * Returns the location of a schema.
   *
   * @throws Error for a schema that is in none of the documents.
   */
  placeOf(schema: JsonObject): SchemaPlace {
    const place = this.#places.get(schema);
    if (place === undefined) throw new Error("expected every reached schema to have a location");
    return place;
  }

  /**
   * Returns the location of a schema as text: a JSON pointer, prefixed with the document's URI if the schema is in
   * another document.
   */
  pathOf(schema: JsonObject): string {
    const { document, pointer } = this.placeOf(schema);
    return `${document}#${pointer}`;
  }

  /**
   * Follows a reference.
   *
   * @throws SchemaProblem `REMOTE_REFERENCE` if the document was not passed, `UNRESOLVED_REFERENCE` if the document
   *   contains no such location.
   */
  resolve(reference: string, from: SchemaResource, path: string): ReferenceTarget {
    const key = `${from.uri} ${reference}`;
    const target = this.#targets.get(key) ?? this.#follow(reference, from, path);
    this.#targets.set(key, target);
    return target;
  }

  #follow(reference: string, from: SchemaResource, path: string): ReferenceTarget {
    const [uri, fragment] = resolveUri(reference, from.uri, path);
    const resource = this.#find(uri);
    if (resource === undefined) {
      throw new SchemaProblem(
        "REMOTE_REFERENCE",
        path,
        `refers to another document, ${shortUri(uri)}, but documents are never fetched: put that schema into $defs, or pass it in schemas under its URI`,
      );
    }
    if (fragment === "") return { schema: resource.root, resource };
    const target = fragment.startsWith("/")
      ? this.#followPointer(resource, fragment)
      : { schema: resource.anchors.get(fragment), resource };
    if (!isSchema(target.schema)) {
      throw new SchemaProblem(
        "UNRESOLVED_REFERENCE",
        path,
        `refers to ${shortUri(reference)}, which does not exist: correct the reference or add its target`,
      );
    }
    return target;
  }

  #followPointer(start: SchemaResource, pointer: string): ReferenceTarget {
    let schema = start.root;
    let place = isJsonObject(schema) ? this.placeOf(schema) : undefined;
    let walked = place?.pointer ?? "";
    for (const token of parsePointer(pointer) ?? []) {
      walked = appendPointer(walked, token);
      if (Array.isArray(schema)) schema = /^(?:0|[1-9]\d*)$/.test(token) ? schema[Number(token)] : undefined;
      else schema = isJsonObject(schema) && Object.hasOwn(schema, token) ? schema[token] : undefined;
      if (isJsonObject(schema)) place = this.#places.get(schema) ?? place;
    }
    const resource = place?.resource ?? start;
    // An unknown keyword may contain a schema, if a reference leads there.
    if (isJsonObject(schema) && !this.#places.has(schema)) {
      this.#walk(schema, { resource, document: place?.document ?? "", pointer: walked });
    }
    return { schema, resource };
  }

  #find(uri: string): SchemaResource | undefined {
    const known = this.#resources.get(uri);
    if (known !== undefined) return known;
    if (this.#waiting.has(uri)) return this.#addWaiting(uri);
    const metaSchema = META_SCHEMAS.get(uri);
    if (metaSchema !== undefined) return this.#addDocument(metaSchema, uri, uri);
    // The URI may be an identifier inside any of the remaining documents.
    for (const waiting of [...this.#waiting.keys()]) this.#addWaiting(waiting);
    return this.#resources.get(uri);
  }

  #addWaiting(uri: string): SchemaResource {
    const document = this.#waiting.get(uri);
    this.#waiting.delete(uri);
    return this.#addDocument(document, uri, uri);
  }

  #addDocument(schema: unknown, uri: string, document: string): SchemaResource {
    const dialect = this.#dialectOf(schema, standardDialect(this.#defaultDraft), document);
    const resource = newResource(uri, schema, dialect);
    this.#resources.set(uri, resource);
    if (!isJsonObject(schema)) return resource;
    withDraft(dialect.draft, () => this.#walk(schema, { resource, document, pointer: "" }));
    const own = this.placeOf(schema).resource;
    this.#resources.set(uri, own);
    return own;
  }

  /** Registers a schema and all schemas nested in it. Each identifier starts a new resource. */
  #walk(schema: JsonObject, place: SchemaPlace): void {
    const { document, pointer } = place;
    const resource = this.#resourceOf(schema, place);
    this.#places.set(schema, { resource, document, pointer });
    this.#asksForUnevaluated ||=
      Object.hasOwn(schema, "unevaluatedProperties") || Object.hasOwn(schema, "unevaluatedItems");
    for (const inner of subschemasOf(schema, resource.dialect.draft)) {
      this.#walk(inner.schema, { resource, document, pointer: pointer + inner.pointer });
    }
  }

  #resourceOf(schema: JsonObject, { resource: around, document, pointer }: SchemaPlace): SchemaResource {
    const path = `${document}#${pointer}`;
    const dialect = hasIdentifier(schema) ? this.#dialectOf(schema, around.dialect, path) : around.dialect;
    const { draft } = dialect;
    // In drafts before 2019-09, keywords next to $ref are ignored.
    if (!isFrom(draft, "2019-09") && typeof schema["$ref"] === "string") return around;
    const identifier = schema[draft === "04" ? "id" : "$id"];
    let resource = around;
    if (typeof identifier === "string") {
      const [uri, fragment] = resolveUri(identifier, around.uri, path);
      if (!identifier.startsWith("#") && (uri !== around.uri || around.root !== schema)) {
        resource = newResource(uri, schema, dialect);
        this.#addResource(resource, path);
      }
      if (fragment !== "" && !isFrom(draft, "2019-09")) resource.anchors.set(fragment, schema);
    }
    if (isFrom(draft, "2019-09")) addAnchor(resource, schema["$anchor"], schema, path);
    const dynamicAnchor = schema["$dynamicAnchor"];
    if (draft === "2020-12" && typeof dynamicAnchor === "string") {
      addAnchor(resource, dynamicAnchor, schema, path);
      resource.dynamicAnchors.set(dynamicAnchor, schema);
    }
    return resource;
  }

  #addResource(resource: SchemaResource, path: string): void {
    const known = this.#resources.get(resource.uri);
    if (known !== undefined && known.root !== resource.root) {
      throw new SchemaProblem("INVALID_IDENTIFIER", path, "has the same identifier as another schema here");
    }
    this.#resources.set(resource.uri, resource);
  }

  #dialectOf(schema: unknown, otherwise: Dialect, path: string): Dialect {
    const uri = isJsonObject(schema) ? schema["$schema"] : undefined;
    if (typeof uri !== "string") return otherwise;
    const draft = draftOf(uri);
    if (draft !== undefined) return standardDialect(draft);
    const [address] = resolveUri(uri, HERE, path);
    const metaSchema = this.#resources.get(address)?.root ?? this.#waiting.get(address);
    if (!isJsonObject(metaSchema)) {
      throw new SchemaProblem(
        "UNKNOWN_DRAFT",
        `${path === "" ? "#" : path}/$schema`,
        `names ${shortUri(uri)}, which is not supported: leave $schema out, or use draft-04, draft-06 or draft-07 as in http://json-schema.org/draft-07/schema#, or 2019-09 or 2020-12 as in https://json-schema.org/draft/2020-12/schema`,
      );
    }
    const base = typeof metaSchema["$schema"] === "string" ? draftOf(metaSchema["$schema"]) : undefined;
    return customDialect(metaSchema, base ?? otherwise.draft);
  }
}

function newResource(uri: string, root: unknown, dialect: Dialect): SchemaResource {
  return { uri, root, dialect, anchors: new Map(), dynamicAnchors: new Map() };
}

function addAnchor(resource: SchemaResource, anchor: unknown, schema: JsonObject, path: string): void {
  if (typeof anchor !== "string") return;
  const known = resource.anchors.get(anchor);
  if (known !== undefined && known !== schema) {
    throw new SchemaProblem("INVALID_IDENTIFIER", path, "has the same anchor as another schema here");
  }
  resource.anchors.set(anchor, schema);
}

function hasIdentifier(schema: JsonObject): boolean {
  return typeof schema["$id"] === "string" || typeof schema["id"] === "string";
}

function isSchema(value: unknown): boolean {
  return typeof value === "boolean" || isJsonObject(value);
}

/** Returns the URI of the document and the decoded fragment. */
function resolveUri(reference: string, base: string, path: string): readonly [string, string] {
  try {
    const url = new URL(reference, base);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = "";
    return [url.href.replace(/#$/, ""), fragment];
  } catch (cause) {
    const message = `has an invalid URI, ${shortUri(reference)}: write a URI as in RFC 3986`;
    throw new SchemaProblem("INVALID_IDENTIFIER", path, message, { cause });
  }
}

function shortUri(uri: string): string {
  const shown = uri.startsWith(HERE) ? uri.slice(HERE.length) : uri;
  return cutText(shown, 120);
}
