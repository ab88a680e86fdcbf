import type { JsonObject, SideEffect } from "@yagate/protocol";

/** What an MCP server claims about a tool, in the tool's annotations. */
export interface HintedEffect {
  /** The side effect that the claims require at least; undefined if they require none. */
  readonly sideEffect?: SideEffect;
}

/**
 * Returns the side effect that follows from a tool's annotations, for a person who decides about it; null if they claim
 * nothing about it.
 */
export function proposedSideEffect({ readOnlyHint, destructiveHint, idempotentHint }: JsonObject): SideEffect | null {
  if (readOnlyHint === true) return "read_only";
  if (destructiveHint === true) return "destructive";
  if (readOnlyHint !== false && destructiveHint !== false) return null;
  return idempotentHint === true ? "idempotent_write" : "non_idempotent_write";
}

/**
 * Returns what holds for a tool without a person's decision. Annotations come from the server, so they only make a tool
 * stricter than an undeclared one: a claim that a tool reads or can be repeated has no effect.
 */
export function hintedEffect(annotations: JsonObject): HintedEffect {
  const proposed = proposedSideEffect(annotations);
  return proposed === "destructive" || proposed === "non_idempotent_write" ? { sideEffect: proposed } : {};
}
