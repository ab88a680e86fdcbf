import * as z from "zod";
import { type OpenEnum, openEnum } from "./open-enum.ts";

/** The type of a schema that {@link openResponse} returns: every enumeration in it is an {@link OpenEnum}. */
export type OpenSchema<Schema> =
  Schema extends z.ZodEnum<infer Values>
    ? OpenEnum<Extract<Values[keyof Values], string>>
    : Schema extends z.ZodLiteral<infer Value>
      ? Value extends string
        ? OpenEnum<Value>
        : Schema
      : Schema extends z.ZodObject<infer Shape, infer Config>
        ? z.ZodObject<{ readonly [Key in keyof Shape]: OpenSchema<Shape[Key]> }, Config>
        : Schema extends z.ZodDiscriminatedUnion<infer Options>
          ? z.ZodUnion<{ readonly [Key in keyof Options]: OpenOption<Options[Key]> }>
          : OpenWrapper<Schema>;

type OpenWrapper<Schema> =
  Schema extends z.ZodOptional<infer Inner extends z.ZodType>
    ? z.ZodOptional<OpenInner<Inner>>
    : Schema extends z.ZodNullable<infer Inner extends z.ZodType>
      ? z.ZodNullable<OpenInner<Inner>>
      : Schema extends z.ZodArray<infer Inner extends z.ZodType>
        ? z.ZodArray<OpenInner<Inner>>
        : Schema;

type OpenInner<Schema extends z.ZodType> = OpenSchema<Schema> extends infer Open extends z.ZodType ? Open : Schema;

/** Keeps the tag of a member of a discriminated union closed, because readers distinguish the members by their tags. */
type OpenOption<Schema> =
  Schema extends z.ZodObject<infer Shape, infer Config>
    ? z.ZodObject<
        { readonly [Key in keyof Shape]: Shape[Key] extends z.ZodLiteral ? Shape[Key] : OpenSchema<Shape[Key]> },
        Config
      >
    : Schema;

/**
 * Makes the schema of a response or an event accept what a newer gateway may send: unknown values of enumerations, and
 * objects with an unknown tag. Known values are checked and typed as before. The type of a tagged union contains only
 * its known members, because TypeScript could not distinguish them from an object whose tag is any string.
 *
 * @param schema - the schema of a response. It is not changed, so requests and stored rows can continue to use it.
 */
export function openResponse<Schema extends z.ZodType>(schema: Schema): OpenSchema<Schema> {
  return open(schema) as unknown as OpenSchema<Schema>;
}

/**
 * Does the same as {@link openResponse} for values that clients send back, such as an agent's tools: unknown values are
 * accepted, but the types stay the same as in the request.
 */
export function openDefinition<Schema extends z.ZodType>(schema: Schema): Schema {
  return open(schema) as unknown as Schema;
}

/**
 * Does the same as {@link openResponse} for a union whose members are distinguished by which field they have, such as
 * the kinds of an agent's tools. An object with none of these fields is accepted unchanged.
 */
export function openKinds<Schema extends z.ZodUnion<readonly z.ZodType[]>>(
  known: Schema,
  fields: readonly string[],
): Schema {
  const other = unlessKnown(z.looseObject({}), (value) => fields.some((field) => field in value));
  return z.union([...known.options.map(open), other]) as unknown as Schema;
}

/**
 * Open schemas by the closed schemas that they were made from. A named schema must not appear in two versions in the
 * API document.
 */
const opened = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

function open(schema: z.core.$ZodType): z.core.$ZodType {
  const known = opened.get(schema);
  if (known !== undefined) return known;
  const result = rebuild(schema);
  opened.set(schema, result);
  opened.set(result, result);
  const meta = z.globalRegistry.get(schema);
  if (result !== schema && meta !== undefined) z.globalRegistry.add(result, meta);
  return result;
}

function rebuild(schema: z.core.$ZodType): z.core.$ZodType {
  if (isStringEnum(schema)) return openEnum(schema);
  if (schema instanceof z.ZodDiscriminatedUnion) return openTagged(schema);
  if (schema instanceof z.ZodObject) {
    return rebuildWith(schema, schema.shape, (shape) => ({ shape, catchall: z.unknown() }));
  }
  if (schema instanceof z.ZodUnion) {
    return rebuildWith(schema, Object.fromEntries(schema.options.entries()), (options) => ({
      options: Object.values(options),
    }));
  }
  // Checks such as "expected the last message to have the role user" apply only to requests.
  if (schema instanceof z.ZodArray) return rebuildWith(schema, { element: schema.element }, withoutChecks);
  if (schema instanceof z.ZodRecord) return rebuildWith(schema, { valueType: schema.valueType });
  if (isWrapper(schema)) return rebuildWith(schema, { innerType: schema.def.innerType });
  return schema;
}

function openTagged(union: z.ZodDiscriminatedUnion): z.core.$ZodType {
  const tag = union.def.discriminator;
  const options = union.options.map((option) => (option instanceof z.ZodObject ? openMember(option, tag) : option));
  const tags: ReadonlySet<unknown> = new Set(
    [...union.options].flatMap((option) => [...(option._zod.propValues?.[tag] ?? [])]),
  );
  const other = unlessKnown(z.looseObject({ [tag]: z.string() }), (value) => tags.has(value[tag]));
  return z.union([z.clone(union, { ...union.def, options }), other]);
}

/**
 * Rejects a value that has a known tag or field, so that an invalid value of a known kind is not accepted as one of an
 * unknown kind. The reported error is then the one for the known kind.
 */
function unlessKnown<Schema extends z.ZodObject>(
  schema: Schema,
  isKnown: (value: Readonly<Record<string, unknown>>) => boolean,
): Schema {
  return schema.superRefine((input, context) => {
    if (isKnown(input)) context.addIssue({ code: "invalid_type", expected: "never", input, continue: false });
  });
}

/** Opens the fields of a member, except the tag that distinguishes the members. */
function openMember(member: z.ZodObject, tag: string): z.ZodObject {
  const shape = Object.entries(member.shape).map(([name, part]) => [name, name === tag ? part : open(part)]);
  return z.clone(member, { ...member.def, shape: Object.fromEntries(shape), catchall: z.unknown() });
}

type Parts = Readonly<Record<string, z.core.$ZodType>>;

/** Returns the schema with its parts opened, or the schema itself if no part changes. */
function rebuildWith<Schema extends z.core.$ZodType>(
  schema: Schema,
  parts: Parts,
  toDef: (opened: Parts) => object = (result) => result,
): Schema {
  const result = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, open(part)]));
  if (Object.entries(parts).every(([name, part]) => part === result[name])) return schema;
  return z.clone(schema, { ...schema._zod.def, ...toDef(result) });
}

function withoutChecks(parts: Parts): object {
  return { ...parts, checks: [] };
}

function isStringEnum(schema: z.core.$ZodType): schema is z.ZodLiteral<string> {
  const values =
    schema instanceof z.ZodEnum ? schema.options : schema instanceof z.ZodLiteral ? [...schema.values] : [];
  return values.length > 0 && values.every((value) => typeof value === "string");
}

type Wrapper = z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodReadonly;

function isWrapper(schema: z.core.$ZodType): schema is Wrapper {
  return [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodReadonly].some((wrapper) => schema instanceof wrapper);
}
