import { z } from "zod";

/** A place of a schema where an enumeration of strings stands. */
export interface EnumPosition {
  /** As `getExecution.stopReason` or `getAgent.tools[].rest.method`. */
  readonly path: string;
  /** Whether the place accepts a value that is none of the known ones. */
  readonly isOpen: boolean;
}

const UNKNOWN = "a_value_that_only_a_newer_gateway_knows";

/** Types of schemas that hold no other schema. */
const LEAVES: ReadonlySet<string> = new Set([
  ...["string", "number", "boolean", "null", "unknown", "never", "custom", "undefined", "any", "literal"],
]);

/**
 * Finds every enumeration of a schema and feeds each an unknown value.
 *
 * @throws Error for a type of schema that it can't look into, which could hide an enumeration.
 */
export function enumPositions(schema: z.core.$ZodType, path: string): readonly EnumPosition[] {
  if (isStringEnum(schema)) return [{ path, isOpen: accepts(schema, UNKNOWN) }];
  if (schema instanceof z.ZodUnion) return ofUnion(schema, path);
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, part]) => enumPositions(part, `${path}.${name}`));
  }
  if (schema instanceof z.ZodArray) return enumPositions(schema.element, `${path}[]`);
  if (schema instanceof z.ZodRecord) {
    return [...enumPositions(schema.keyType, `${path}{key}`), ...enumPositions(schema.valueType, `${path}{}`)];
  }
  const { def } = schema._zod;
  if ("innerType" in def) return enumPositions(z.instanceof(z.ZodType).parse(def.innerType), path);
  if (LEAVES.has(def.type)) return [];
  throw new Error(`expected a type of schema that the test knows at ${path}, got ${def.type}`);
}

function ofUnion(union: z.ZodUnion, path: string): readonly EnumPosition[] {
  const enums = union.options.filter(isStringEnum);
  const own = enums.length === 0 ? [] : [{ path, isOpen: accepts(union, UNKNOWN) }];
  const tags = [union, ...union.options].flatMap((one) => (one instanceof z.ZodDiscriminatedUnion ? [one.def] : []));
  const tagged = tags.map(({ discriminator }) => ({
    path: `${path}.${discriminator}`,
    isOpen: accepts(union, { [discriminator]: UNKNOWN, further: 1 }),
  }));
  const members = flatMembers(union).flatMap((member) => enumPositions(withoutTags(member, tags), path));
  return [...own, ...tagged, ...members];
}

/** The members that are no enumerations, with those of tagged unions in the place of these. */
function flatMembers(union: z.ZodUnion): readonly z.core.$ZodType[] {
  return union.options
    .filter((option) => !isStringEnum(option))
    .flatMap((option) => (option instanceof z.ZodDiscriminatedUnion ? option.options : [option]));
}

function withoutTags(member: z.core.$ZodType, tags: readonly { readonly discriminator: string }[]): z.core.$ZodType {
  if (!(member instanceof z.ZodObject)) return member;
  const names = new Set(tags.map(({ discriminator }) => discriminator));
  return z.object(Object.fromEntries(Object.entries(member.shape).filter(([name]) => !names.has(name))));
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  const parsed = z.safeParse(schema, value);
  return parsed.success && JSON.stringify(parsed.data) === JSON.stringify(value);
}

function isStringEnum(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodEnum) return true;
  return schema instanceof z.ZodLiteral && [...schema.values].some((value) => typeof value === "string");
}
