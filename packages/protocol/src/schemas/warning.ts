import * as z from "zod";
import { openResponse } from "./open-response.ts";

/**
 * `info`: good to know. `warning`: probably not intended. `critical`: calls will fail or go wrong until it is changed.
 */
export const warningSeveritySchema = z.enum(["info", "warning", "critical"]);
export type WarningSeverity = z.infer<typeof warningSeveritySchema>;

/** A note about something that was saved or imported. It does not prevent saving. */
export const warningSchema = openResponse(
  z.looseObject({
    /** Stable: a code of `WARNING_TABLE`, or one that the author of a tool chose. */
    code: z.string(),
    // An older gateway sends none.
    severity: warningSeveritySchema.default("warning"),
    /** With dots and indexes in brackets, such as `tools[0].handler`; a JSON pointer for a document. */
    path: z.string(),
    message: z.string(),
  }),
).meta({ id: "Warning" });
export type Warning = z.infer<typeof warningSchema>;

/** The code of an author's own warning. */
export const authorWarningCodeSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "expected 1 to 64 letters, digits or _, starting with a letter");
/** The path of an author's own warning. */
export const authorWarningPathSchema = z.string().max(200);

/** Every code of the gateway's own warnings, in alphabetical order. Adding one is a minor change, renaming one a major. */
export const WARNING_TABLE = {
  AUTHOR_NOTE: { severity: "info" },
  CHARACTERS_REMOVED: { severity: "warning" },
  CREDENTIAL_AUTH_MISMATCH: { severity: "critical" },
  DOCUMENT_PROBLEM: { severity: "info" },
  DOMAIN_ALWAYS_BLOCKED: { severity: "critical" },
  IMPORT_NOTE: { severity: "info" },
  INVALID_ARG: { severity: "critical" },
  NOT_CONFIGURED: { severity: "critical" },
  OPERATION_SKIPPED: { severity: "warning" },
  OPTIONAL_ITEM: { severity: "warning" },
  PARAMETER_MAY_NOT_FIT: { severity: "warning" },
  PARAMETER_TYPE_MISMATCH: { severity: "critical" },
  SECRET_HOST_MISMATCH: { severity: "critical" },
  SECRET_REFERENCE_NOT_READ: { severity: "critical" },
  UNDECLARED_AFTER_UNTRUSTED: { severity: "warning" },
  UNKNOWN_SECRET: { severity: "critical" },
  always_denied: { severity: "critical" },
  body_format_unused: { severity: "info" },
  config_unused: { severity: "info" },
  credential_host: { severity: "critical" },
  credential_without_auth: { severity: "critical" },
  credential_without_hosts: { severity: "critical" },
  delete_with_body: { severity: "warning" },
  description_long: { severity: "warning" },
  http_only_in_opened_networks: { severity: "warning" },
  items_undescribed: { severity: "warning" },
  literal_braces: { severity: "warning" },
  model_without_tools: { severity: "warning" },
  no_credential: { severity: "critical" },
  no_integration: { severity: "critical" },
  optional_parameter: { severity: "warning" },
  plain_credential: { severity: "warning" },
  price_unknown: { severity: "warning" },
  schema_keyword_ignored: { severity: "info" },
  side_effect_undeclared: { severity: "warning" },
  unknown_credential: { severity: "critical" },
  unknown_integration: { severity: "critical" },
  unused_parameter: { severity: "warning" },
  webhook_not_enabled: { severity: "critical" },
  webhook_without_urls: { severity: "warning" },
} as const satisfies Readonly<Record<string, { readonly severity: WarningSeverity }>>;
export type WarningCode = keyof typeof WARNING_TABLE;

/** A warning of the gateway, with the severity of its code. */
export function toWarning(code: WarningCode, path: string, message: string): Warning {
  return { code, severity: WARNING_TABLE[code].severity, path, message };
}
