import * as z from "zod";

/** Any string, in a form that lets editors suggest the known values beside it. */
export type OtherString = string & {};

const otherStringSchema: z.ZodType<OtherString, OtherString> = z.string();

/** The schema of {@link openEnum}. */
export type OpenEnum<Known extends string> = z.ZodUnion<
  readonly [z.ZodType<Known, Known>, z.ZodType<OtherString, OtherString>]
>;

/**
 * An enumeration in a response or an event. Known values are typed; any other string is accepted, since a newer gateway
 * may send one. Requests and stored rows use the closed schema.
 */
export function openEnum<Known extends string>(known: z.ZodType<Known, Known>): OpenEnum<Known> {
  return z.union([known, otherStringSchema]);
}
