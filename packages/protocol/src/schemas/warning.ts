import * as z from "zod";
import { openResponse } from "./open-response.ts";

/**
 * `info`: good to know. `warning`: probably not intended. `critical`: calls will fail or do the wrong thing until the
 * cause is fixed.
 */
export const warningSeveritySchema = z.enum(["info", "warning", "critical"]);
export type WarningSeverity = z.infer<typeof warningSeveritySchema>;

/** A finding about something that was saved or imported. It does not prevent saving. */
export const warningSchema = openResponse(
  z.looseObject({
    /** A stable code from `WARNING_TABLE`, or one that the author of a tool chose. */
    code: z.string(),
    // Older gateways send no severity.
    severity: warningSeveritySchema.default("warning"),
    /**
     * Path of the value, with dots for members and brackets for indexes, as in `tools[0].handler`. For an imported
     * document, a JSON pointer.
     */
    path: z.string(),
    message: z.string(),
  }),
).meta({ id: "Warning" });
export type Warning = z.infer<typeof warningSchema>;

/** The code of a warning that the author of a tool wrote. */
export const authorWarningCodeSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "expected 1 to 64 letters, digits or _, starting with a letter");
/** The path of a warning that the author of a tool wrote. */
export const authorWarningPathSchema = z.string().max(200);

/**
 * Severities of the gateway's own warnings, by code in alphabetical order. Adding a code is a minor change; renaming
 * one is a major change.
 */
export const WARNING_TABLE = {
  ALWAYS_DENIED: { severity: "critical" },
  AUTHOR_NOTE: { severity: "info" },
  BODY_FORMAT_UNUSED: { severity: "info" },
  CHARACTERS_REMOVED: { severity: "warning" },
  CONFIG_UNUSED: { severity: "info" },
  CREDENTIAL_AUTH_MISMATCH: { severity: "critical" },
  CREDENTIAL_HOST: { severity: "critical" },
  CREDENTIAL_WITHOUT_AUTH: { severity: "critical" },
  CREDENTIAL_WITHOUT_HOSTS: { severity: "critical" },
  DELETE_WITH_BODY: { severity: "warning" },
  DESCRIPTION_LONG: { severity: "warning" },
  DESCRIPTION_SHORT: { severity: "warning" },
  DOCUMENT_PROBLEM: { severity: "info" },
  DOMAIN_ALWAYS_BLOCKED: { severity: "critical" },
  HTTP_ONLY_IN_ALLOWLISTED_NETWORKS: { severity: "warning" },
  IMPORT_NOTE: { severity: "info" },
  INVALID_ARG: { severity: "critical" },
  ITEMS_UNDESCRIBED: { severity: "warning" },
  LITERAL_BRACES: { severity: "warning" },
  MODEL_WITHOUT_TOOLS: { severity: "warning" },
  NAME_CONFLICT: { severity: "warning" },
  NOT_CONFIGURED: { severity: "critical" },
  NO_ROUTE: { severity: "critical" },
  NO_CREDENTIAL: { severity: "critical" },
  NO_INTEGRATION: { severity: "critical" },
  OPERATION_SKIPPED: { severity: "warning" },
  OPTIONAL_ITEM: { severity: "warning" },
  OPTIONAL_PARAMETER: { severity: "warning" },
  PARAMETER_MAY_NOT_FIT: { severity: "warning" },
  PARAMETER_TYPE_MISMATCH: { severity: "critical" },
  PIN_UNUSED: { severity: "warning" },
  PLAIN_CREDENTIAL: { severity: "warning" },
  PRICE_UNKNOWN: { severity: "warning" },
  SCHEMA_KEYWORD_IGNORED: { severity: "info" },
  SECRET_HOST_MISMATCH: { severity: "critical" },
  SECRET_REFERENCE_NOT_READ: { severity: "critical" },
  SIDE_EFFECT_UNDECLARED: { severity: "warning" },
  TOOL_SEARCH_UNAVAILABLE: { severity: "warning" },
  UNDECLARED_AFTER_UNTRUSTED: { severity: "warning" },
  UNKNOWN_CREDENTIAL: { severity: "critical" },
  UNKNOWN_INTEGRATION: { severity: "critical" },
  UNKNOWN_SECRET: { severity: "critical" },
  UNUSED_PARAMETER: { severity: "warning" },
  WEBHOOK_NOT_ENABLED: { severity: "critical" },
  WEBHOOK_WITHOUT_URLS: { severity: "warning" },
} as const satisfies Readonly<Record<string, { readonly severity: WarningSeverity }>>;
export type WarningCode = keyof typeof WARNING_TABLE;

/** Creates one of the gateway's own warnings, with the severity that its code has. */
export function toWarning(code: WarningCode, path: string, message: string): Warning {
  return { code, severity: WARNING_TABLE[code].severity, path, message };
}
