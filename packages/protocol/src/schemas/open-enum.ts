import * as z from "zod";

/** Any string. In a union with known values, this type still lets editors suggest those values. */
export type OtherString = string & {};

const otherStringSchema: z.ZodType<OtherString, OtherString> = z.string();

/** The schema that {@link openEnum} returns. */
export type OpenEnum<Known extends string> = z.ZodUnion<
  readonly [z.ZodType<Known, Known>, z.ZodType<OtherString, OtherString>]
>;

/**
 * Creates the schema of an enumeration in a response or an event. Known values are typed; any other string is also
 * accepted, because a newer gateway may send it. Requests and stored rows use the closed schema.
 */
export function openEnum<Known extends string>(known: z.ZodType<Known, Known>): OpenEnum<Known> {
  return z.union([known, otherStringSchema]);
}
