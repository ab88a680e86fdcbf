import type { HttpMethod, JsonObject, PrimitiveName, SideEffect } from "@yagate/protocol";
import type { DestinationRule } from "../network-tool.ts";

/** A tool whose requests the model composes. */
export interface Primitive {
  readonly name: PrimitiveName;
  /** For the model. */
  readonly description: string;
  /** What the model is told of its parameters. */
  readonly parameters: JsonObject;
  /** What arguments must fit, where that is less: what is missing then has an error code of its own. */
  readonly accepted?: JsonObject;
  /** The method of every request; undefined: the model names it. */
  readonly method?: HttpMethod;
  readonly sideEffect?: SideEffect;
  readonly destination: DestinationRule;
  readonly takesCredential: boolean;
}
