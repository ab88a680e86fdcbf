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

/** What an agent's author may say of a primitive. */
const configSchema = z.strictObject({
  approval: approvalModeSchema.optional(),
  sideEffect: sideEffectSchema.optional(),
  risk: riskClassSchema.optional(),
  timeout: z.int().min(1).max(MAX_TOOL_TIMEOUT_MS).optional(),
});

export interface PrimitiveConfig {
  readonly approval?: ApprovalMode | undefined;
  /** What a call does to the world, where the primitive does not say so itself or its author says more. */
  readonly sideEffect?: SideEffect | undefined;
  readonly risk?: RiskClass | undefined;
  /** In ms. */
  readonly timeout?: number | undefined;
}

/** Reads the configuration of a primitive, or says what is wrong with it. @param path - of the tool, as `tools[0]`. */
export function parsePrimitiveConfig(
  { config = {} }: BuiltinToolDefinition,
  path: string,
): { readonly config: PrimitiveConfig } | { readonly problems: readonly FieldError[] } {
  const parsed = configSchema.safeParse(config);
  if (parsed.success) return { config: parsed.data };
  const place = (at: string) => (at === "" ? `${path}.config` : `${path}.config.${at}`);
  return { problems: toFieldErrors(parsed.error).map((error) => ({ ...error, path: place(error.path) })) };
}
