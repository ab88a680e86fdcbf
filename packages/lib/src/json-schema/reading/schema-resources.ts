import { isJsonObject, type JsonObject } from "../../json/json-object.ts";
import { appendPointer, parsePointer } from "../../json/json-pointer.ts";
import { cutText } from "../../text/cut-text.ts";
import { SchemaProblem, withDraft } from "../schema-problem.ts";
import { customDialect, type Dialect, standardDialect } from "./dialect.ts";
import { type Draft, draftOf, isFrom } from "./drafts.ts";
import { META_SCHEMAS } from "./meta-schemas.ts";
import { subschemasOf } from "./subschemas-of.ts";

/** A schema with an identifier of its own, and what can be named by a fragment inside it. */
export interface SchemaResource {
  readonly uri: string;
  readonly root: unknown;
  readonly dialect: Dialect;
  readonly anchors: Map<string, unknown>;
  readonly dynamicAnchors: Map<string, JsonObject>;
}

/** Where a schema stands. */
export interface SchemaPlace {
  readonly resource: SchemaResource;
  /** Address of the document; empty for the schema itself. */
  readonly document: string;
  /** JSON pointer in the document. */
  readonly pointer: string;
}

/** What a reference names; a schema may be a boolean. */
export interface ReferenceTarget {
  readonly schema: unknown;
  readonly resource: SchemaResource;
}

/** Where a schema without an identifier is taken to be; relative references lead to documents next to it. */
const HERE = "json-schema:///";

/** A schema and the documents that it may refer to. Nothing is ever fetched. */
export class SchemaResources {
  readonly main: SchemaResource;
  readonly #resources = new Map<string, SchemaResource>();
  readonly #places = new Map<JsonObject, SchemaPlace>();
  /** Documents that were handed in and that nothing has asked for. */
  readonly #waiting: Map<string, unknown>;
  readonly #defaultDraft: Draft;
  #asksForUnevaluated = false;
  /** Of references that were followed: an address has no space in it. */
  readonly #targets = new Map<string, ReferenceTarget>();

  /**
   * @param documents - schemas by the addresses that references use.
   * @param draft - of schemas that don't say it themselves.
   * @throws SchemaProblem
   */
  constructor(schema: unknown, documents: Readonly<Record<string, unknown>>, draft: Draft) {
    this.#defaultDraft = draft;
    this.#waiting = new Map(
      Object.entries(documents).map(([uri, document]) => [resolveUri(uri, HERE, "")[0], document]),
    );
    this.main = this.#addDocument(schema, HERE, "");
  }

  /** Whether a schema asks what others looked at: where none does, nobody has to note it. */
  get asksForUnevaluated(): boolean {
    return this.#asksForUnevaluated;
  }

  /** Every schema that stands in a document that was read so far, meta-schemas left out. */
  *schemas(): Iterable<readonly [JsonObject, SchemaPlace]> {
    // Following a reference may add more, which a Map's iterator goes on to.
    for (const entry of this.#places) if (!META_SCHEMAS.has(entry[1].document)) yield entry;
  }

  /** @throws Error for what is in none of the documents. */
  placeOf(schema: JsonObject): SchemaPlace {
    const place = this.#places.get(schema);
    if (place === undefined) throw new Error("a schema was reached that stands nowhere");
    return place;
  }

  /** The place in words: a pointer, after the document's address when it is another one. */
  pathOf(schema: JsonObject): string {
    const { document, pointer } = this.placeOf(schema);
    return `${document}#${pointer}`;
  }

  /**
   * Follows a reference.
   *
   * @throws SchemaProblem `REMOTE_REFERENCE` for a document that was not handed in, `UNRESOLVED_REFERENCE` for a place
   *   that a document has not.
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
        `refers to another document, ${shortUri(uri)}, and none is ever fetched: put that schema into $defs, or hand it in under its address in schemas`,
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
        `refers to ${shortUri(reference)}, and no schema is there: correct the reference or add what it names`,
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
    // A keyword that the draft does not have may hold a schema all the same, once a reference says so.
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
    // It may be the identifier that a document gives to itself or to a part of it.
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

  /** Notes the place of a schema and of all inside it, beginning a resource wherever one has an identifier. */
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
    // Before 2019-09 nothing counts beside a $ref.
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
      throw new SchemaProblem("INVALID_IDENTIFIER", path, "has an identifier that another schema here has, too");
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
        `names ${shortUri(uri)}, which is not known: leave $schema out, or name draft-04, draft-06 or draft-07 as in http://json-schema.org/draft-07/schema#, or 2019-09 or 2020-12 as in https://json-schema.org/draft/2020-12/schema`,
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
    throw new SchemaProblem("INVALID_IDENTIFIER", path, "has an anchor that another schema here has, too");
  }
  resource.anchors.set(anchor, schema);
}

function hasIdentifier(schema: JsonObject): boolean {
  return typeof schema["$id"] === "string" || typeof schema["id"] === "string";
}

function isSchema(value: unknown): boolean {
  return typeof value === "boolean" || isJsonObject(value);
}

/** The address of a document and the fragment in it, decoded. */
function resolveUri(reference: string, base: string, path: string): readonly [string, string] {
  try {
    const url = new URL(reference, base);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = "";
    return [url.href.replace(/#$/, ""), fragment];
  } catch (cause) {
    const message = `has an address that can't be read, ${shortUri(reference)}: write a URI as in RFC 3986`;
    throw new SchemaProblem("INVALID_IDENTIFIER", path, message, { cause });
  }
}

function shortUri(uri: string): string {
  const shown = uri.startsWith(HERE) ? uri.slice(HERE.length) : uri;
  return cutText(shown, 120);
}
