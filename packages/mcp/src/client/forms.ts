import { isJsonObject } from "@yagate/lib/json/json-object";
import { type JsonObject, jsonObjectSchema, removeInvisible } from "@yagate/protocol";
import * as z from "zod";

const MAX_FIELDS = 50;

const texts = { title: z.string().optional(), description: z.string().optional() };
const count = z.int().min(0).optional();
const option = z.object({ const: z.string(), title: z.string() });
const options = { enum: z.array(z.string()).min(1) };

/** The fields that the protocol permits in a form. Everything else in them is dropped. */
const fieldSchema = z.union([
  z.object({
    ...{ type: z.literal("string"), ...texts, ...options, enumNames: z.array(z.string()).optional() },
    default: z.string().optional(),
  }),
  z.object({
    ...{ type: z.literal("string"), ...texts, oneOf: z.array(option).min(1) },
    default: z.string().optional(),
  }),
  z.object({
    ...{ type: z.literal("array"), ...texts, minItems: count, maxItems: count },
    items: z.union([z.object({ type: z.literal("string"), ...options }), z.object({ anyOf: z.array(option).min(1) })]),
    default: z.array(z.string()).optional(),
  }),
  z.object({ type: z.literal("boolean"), ...texts, default: z.boolean().optional() }),
  z.object({
    ...{ type: z.literal("string"), ...texts, minLength: count, maxLength: count },
    format: z.enum(["email", "uri", "date", "date-time"]).optional(),
    default: z.string().optional(),
  }),
  z.object({
    ...{ type: z.enum(["number", "integer"]), ...texts },
    ...{ minimum: z.number().optional(), maximum: z.number().optional(), default: z.number().optional() },
  }),
]);

const formSchema = z.object({
  type: z.literal("object"),
  properties: z.record(z.string().min(1).max(200), fieldSchema),
  required: z.array(z.string()).optional(),
});

/**
 * Returns the JSON Schema of a form, with only the keywords that the protocol permits; undefined for any other schema.
 * An answer that fits the schema has no other fields.
 */
export function formOf(requested: unknown): JsonObject | undefined {
  const { success, data } = formSchema.safeParse(requested);
  if (!success || Object.keys(data.properties).length > MAX_FIELDS) return undefined;
  const { properties, required = [] } = data;
  if (required.some((name) => !Object.hasOwn(properties, name))) return undefined;
  // Zod leaves optional keywords out that the form does not have.
  return jsonObjectSchema.parse({ type: "object", properties, required, additionalProperties: false });
}

/** Words for values that no person should type into a form of a server. */
const SECRET = new RegExp(
  [
    String.raw`\b(?:pass ?(?:words?|phrases?|codes?|keys?|wd)|pwd|secrets?|credentials?|token|pin|pin ?(?:code|number)|otp|cvv|cvc|ssn)\b`,
    String.raw`\b(?:api|access|private|secret|signing|encryption|recovery|ssh|license) ?keys?\b`,
    String.raw`\b(?:api|access|auth|authentication|bearer|refresh|session|id|security) ?tokens?\b`,
    String.raw`\b(?:one ?time|verification|security|authentication|recovery|backup|2fa|mfa|login) ?(?:pass ?)?codes?\b`,
    String.raw`\b(?:seed|recovery|mnemonic) ?(?:phrases?|words?)\b|\bmnemonic\b`,
    String.raw`\b(?:credit|debit|payment)? ?card ?numbers?\b|\bsocial ?security\b|\bbank ?(?:login|account ?number)\b`,
    "passwort|kennwort|contraseñ|mot de passe|senha|пароль|парол|密码|密碼|口令|パスワード|暗証番号|비밀번호",
  ].join("|"),
  "u",
);

/** How a text asks for a value, before the value's name in the same sentence. */
const ASKING =
  /\b(?:enter|type|provide|give|paste|insert|supply|submit|share|tell|send|input|need|confirm with|what is|what's|your)\b/u;

/**
 * Returns whether a form asks for a password or another secret: by the name, the title, the description or the format of
 * a field, or by its message if it has a field for free text.
 */
export function asksForSecret(message: string, requested: unknown): boolean {
  const properties = isJsonObject(requested) ? requested["properties"] : undefined;
  if (!isJsonObject(properties)) return false;
  const fields = Object.entries(properties).filter(([, field]) => isFree(field));
  if (fields.length === 0) return false;
  return asks(message) || fields.some(([name, field]) => isJsonObject(field) && isSecretField(name, field));
}

/** Returns whether a person types the value of a field, instead of choosing it. */
function isFree(field: unknown): boolean {
  if (!isJsonObject(field)) return false;
  return field["enum"] === undefined && field["oneOf"] === undefined && field["type"] !== "boolean";
}

function isSecretField(name: string, field: Readonly<Record<string, unknown>>): boolean {
  const { title, description, format, writeOnly } = field;
  if (format === "password" || writeOnly === true) return true;
  const named = [name, title].some((text) => typeof text === "string" && SECRET.test(words(text)));
  return named || (typeof description === "string" && asks(description));
}

function asks(text: string): boolean {
  const plain = words(text);
  return plain.split(/[.?!\n]/u).some((part) => {
    const asked = ASKING.exec(part);
    return asked !== null && SECRET.test(part.slice(asked.index));
  });
}

/** Converts names such as `apiKey` and `API_KEY` to words in lower case, without invisible characters. */
function words(text: string): string {
  return removeInvisible(text.normalize("NFKC"))
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/[_\-.]+/gu, (mark) => (mark.startsWith(".") ? mark : " "))
    .toLowerCase();
}
