import {
  type ApprovalMode,
  approvalModeSchema,
  type BuiltinToolDefinition,
  type FieldError,
  MAX_TOOL_TIMEOUT_MS,
  type RiskClass,
  riskClassSchema,
  type SideEffect,
  sideEffectSchema,
  toFieldErrors,
} from "@yagate/protocol";
import * as z from "zod";

/** What an agent's author may configure for a primitive. */
const configSchema = z.strictObject({
  approval: approvalModeSchema.optional(),
  sideEffect: sideEffectSchema.optional(),
  risk: riskClassSchema.optional(),
  timeout: z.int().min(1).max(MAX_TOOL_TIMEOUT_MS).optional(),
});

export interface PrimitiveConfig {
  readonly approval?: ApprovalMode | undefined;
  /** The side effect of a call, if the primitive does not determine it or the author declares another one. */
  readonly sideEffect?: SideEffect | undefined;
  readonly risk?: RiskClass | undefined;
  /** Timeout of one attempt in ms. */
  readonly timeout?: number | undefined;
}

/**
 * Parses the configuration of a primitive, or returns the problems with it.
 * @param path - the path of the tool, such as `tools[0]`.
 */
export function parsePrimitiveConfig(
  { config = {} }: BuiltinToolDefinition,
  path: string,
): { readonly config: PrimitiveConfig } | { readonly problems: readonly FieldError[] } {
  const parsed = configSchema.safeParse(config);
  if (parsed.success) return { config: parsed.data };
  const place = (at: string) => (at === "" ? `${path}.config` : `${path}.config.${at}`);
  return { problems: toFieldErrors(parsed.error).map((error) => ({ ...error, path: place(error.path) })) };
}
