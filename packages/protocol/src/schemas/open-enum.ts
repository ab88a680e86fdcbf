import * as z from "zod";

/** Any string. In a union, this type lets editors suggest the known values. */
export type OtherString = string & {};

const otherStringSchema: z.ZodType<OtherString, OtherString> = z.string();

/** The schema of {@link openEnum}. */
export type OpenEnum<Known extends string> = z.ZodUnion<
  readonly [z.ZodType<Known, Known>, z.ZodType<OtherString, OtherString>]
>;

/**
 * Creates the schema of an enumeration in a response or an event. Known values are typed; any other string is accepted,
 * since a newer gateway may send one. Requests and stored rows use the closed schema.
 */
export function openEnum<Known extends string>(known: z.ZodType<Known, Known>): OpenEnum<Known> {
  return z.union([known, otherStringSchema]);
}
