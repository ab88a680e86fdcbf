import { isJsonObject, isObject } from "@yagate/lib/json/json-object";

const KEYWORD = "x-mcp-header";
/** A token of RFC 9110. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const MAPPED_TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
/** Keywords whose values are data and not schemas. */
const DATA: ReadonlySet<string> = new Set(["default", "const", "enum", "examples"]);

/**
 * Checks the mappings of arguments to headers (`x-mcp-header`) in the schema of a tool. The protocol requires clients
 * not to use a tool with an invalid one.
 *
 * @param schema - a schema of limited depth.
 * @returns why a mapping is invalid; undefined if all are valid.
 */
export function headerMappingFault(schema: object): string | undefined {
  const names = new Set<string>();
  return faultOf(schema, { names, isMappable: false, isReachable: true });
}

interface Position {
  /** The names so far, in lower case. */
  readonly names: Set<string>;
  /** Whether the schema is that of an argument, or of a property of one. */
  readonly isMappable: boolean;
  /** Whether only `properties` leads to the schema, so that it always applies. */
  readonly isReachable: boolean;
}

function faultOf(schema: object, position: Position): string | undefined {
  const { names, isMappable, isReachable } = position;
  const members = isJsonObject(schema) ? schema : { items: schema };
  if (isJsonObject(schema) && KEYWORD in schema) {
    const name = schema[KEYWORD];
    if (!isMappable) return `expected ${KEYWORD} only on properties that always apply`;
    if (typeof name !== "string" || !TOKEN.test(name)) return `expected the name of a header as ${KEYWORD}`;
    if (!MAPPED_TYPES.has(schema["type"])) return `expected ${KEYWORD} only on strings, integers and booleans`;
    if (names.has(name.toLowerCase())) return `expected a different ${KEYWORD} for each argument`;
    names.add(name.toLowerCase());
  }
  for (const [keyword, value] of Object.entries(members)) {
    if (!isObject(value) || DATA.has(keyword)) continue;
    const isProperties = keyword === "properties" && isReachable;
    const children = isProperties || Array.isArray(value) || isMapOfSchemas(keyword) ? Object.values(value) : [value];
    const next = { names, isMappable: isProperties, isReachable: isProperties };
    for (const child of children) {
      const fault = isObject(child) ? faultOf(child, next) : undefined;
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function isMapOfSchemas(keyword: string): boolean {
  return ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"].includes(keyword);
}
