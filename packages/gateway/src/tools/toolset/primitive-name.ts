import { PRIMITIVE_NAMES, type PrimitiveName } from "@yagate/protocol";

/** Tells the tools whose requests the model composes from the other built-ins. */
export function isPrimitiveName(name: string): name is PrimitiveName {
  return PRIMITIVE_NAMES.some((known) => known === name);
}
