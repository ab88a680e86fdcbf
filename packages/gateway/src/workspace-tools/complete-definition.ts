import {
  type ComposedToolDefinition,
  composedToolSchema,
  type FieldError,
  type HandlerToolDefinition,
  handlerToolSchema,
  type RestToolDefinition,
  restToolSchema,
  toFieldErrors,
  type WorkspaceToolDefinition,
  type WorkspaceToolKind,
} from "@yagate/protocol";

/** A complete definition of a workspace tool. */
export type CompleteWorkspaceDefinition = HandlerToolDefinition | ComposedToolDefinition | RestToolDefinition;

/** Returns the kind of a definition. The definition may be incomplete. */
export function kindOf(definition: object): WorkspaceToolKind {
  if ("rest" in definition) return "rest";
  return "implementation" in definition ? "composed" : "handler";
}

/** Returns the name of the tool that a definition declares. */
export function nameOf(definition: WorkspaceToolDefinition): string {
  return "rest" in definition ? definition.rest.name : definition.name;
}

/** Parses a definition. Returns it, or its problems with paths that begin with `definition`. */
export function parseComplete(
  definition: object,
): { readonly definition: CompleteWorkspaceDefinition } | { readonly problems: readonly FieldError[] } {
  const schemas = { handler: handlerToolSchema, composed: composedToolSchema, rest: restToolSchema };
  const parsed = schemas[kindOf(definition)].safeParse(definition);
  return parsed.success ? { definition: parsed.data } : { problems: toFieldErrors(parsed.error, ["definition"]) };
}
