import * as z from "zod";
import { allowedDomainSchema } from "./domain.ts";
import { headerNameSchema } from "./header-name.ts";
import { timestampSchema } from "./json.ts";
import { openDefinition } from "./open-response.ts";
import { warningSchema } from "./warning.ts";

/** The name of a workspace secret: 1 to 64 characters from `A-Z 0-9 _`, starting with a letter. */
export const secretNameSchema = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, "expected 1 to 64 upper-case letters, digits or _, starting with a letter");

/** Minimum length of a secret's value, in characters. Shorter values could appear in a text by coincidence. */
const MIN_SECRET_LENGTH = 8;
/** Maximum length of a secret's value, in characters. */
const MAX_SECRET_LENGTH = 8_192;
const MAX_SECRET_HOSTS = 50;

/** A value that can be sent in a header. A line break would end the header. */
const secretValueSchema = z
  .string()
  .min(MIN_SECRET_LENGTH)
  .max(MAX_SECRET_LENGTH)
  .regex(
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
    "expected one line of printable ASCII, without leading or trailing spaces or line breaks",
  );

/** A user name or a password. One of them may be empty, for services that take an API key as the user name. */
const basicHalf = z
  .string()
  .max(MAX_SECRET_LENGTH / 2)
  .regex(
    /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/,
    "expected one line of printable ASCII, without leading or trailing spaces or line breaks",
  );

/**
 * The value of a `basic` secret. User name and password are both secret: the API returns neither, and the gateway
 * searches requests for both.
 */
const basicCredentialSchema = z
  .strictObject({
    username: basicHalf.refine((text) => !text.includes(":"), "expected a user name without a colon"),
    password: basicHalf,
  })
  .refine(({ username, password }) => Math.max(username.length, password.length) >= MIN_SECRET_LENGTH, {
    path: ["password"],
    error: `expected a user name or a password of at least ${MIN_SECRET_LENGTH} characters`,
  })
  .meta({ id: "BasicCredential" });
export type BasicCredential = z.infer<typeof basicCredentialSchema>;

/** How a secret authenticates a request. */
export const secretAuthSchema = z.discriminatedUnion(
  "type",
  [
    /** `Authorization: Bearer <value>` */
    z.strictObject({ type: z.literal("bearer") }),
    /** `Authorization: Basic <base64 of user name, colon and password>`; the value is a {@link BasicCredential}. */
    z.strictObject({ type: z.literal("basic") }),
    z.strictObject({ type: z.literal("header"), name: headerNameSchema }),
    z.strictObject({ type: z.literal("query_param"), name: z.string().min(1).max(100).default("api_key") }),
    /** A short-lived JWT, signed with the value (HS256). */
    z.strictObject({
      type: z.literal("signed_token"),
      issuer: z.string().min(1).max(200).optional(),
      subject: z.string().min(1).max(200).optional(),
      audience: z.string().min(1).max(200).optional(),
      expiresInSeconds: z.int().min(1).max(3_600).default(60),
    }),
  ],
  {
    error: "expected an object whose type is bearer, basic, header, query_param or signed_token",
  },
);
export type SecretAuth = z.infer<typeof secretAuthSchema>;

/** The body of `PUT /v1/secrets/:name`. If `auth` or `hosts` is omitted, it keeps its saved value. */
export const putSecretSchema = z
  .strictObject({
    /**
     * For `basic`, a user name and a password, which also make `basic` the default of `auth`; otherwise, one string.
     */
    value: z.union([secretValueSchema, basicCredentialSchema]),
    auth: secretAuthSchema.nullable().optional(),
    /**
     * The only hosts that may receive the secret. If there are none, the key of a model provider may be sent to the
     * provider's own hosts and to those that the operator configured, and the credential of an HTTP tool may not be
     * sent to any host.
     */
    hosts: z.array(allowedDomainSchema).max(MAX_SECRET_HOSTS).optional(),
  })
  .refine(({ value, auth }) => typeof value === "object" || auth?.type !== "basic", {
    path: ["value"],
    error: "expected an object with username and password, because a secret of the type basic consists of both",
  })
  .refine(({ value, auth }) => typeof value === "string" || auth === undefined || auth?.type === "basic", {
    path: ["value"],
    error: "expected a string: only secrets of the type basic have a user name and a password",
  })
  .meta({ id: "PutSecret" });
export type PutSecret = z.input<typeof putSecretSchema>;

/** A workspace secret, without its value. No response contains the value. */
export const secretSchema = openDefinition(
  z.looseObject({
    name: secretNameSchema,
    auth: secretAuthSchema.nullable(),
    hosts: z.array(z.string()),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    /** Only in responses to requests that save the secret. */
    warnings: z.array(warningSchema).optional(),
  }),
).meta({ id: "Secret" });
export type Secret = z.infer<typeof secretSchema>;
