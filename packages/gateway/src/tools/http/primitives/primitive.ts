import type { HttpMethod, JsonObject, PrimitiveName, SideEffect } from "@yagate/protocol";
import type { DestinationRule } from "../network-tool.ts";

/** A tool whose requests the model composes. */
export interface Primitive {
  readonly name: PrimitiveName;
  /** Description that the model reads. */
  readonly description: string;
  /** Schema of the parameters that the model reads. */
  readonly parameters: JsonObject;
  /**
   * Schema that arguments must match, if it is less strict than `parameters`. A missing value that only `parameters`
   * requires can then be rejected with a specific error code.
   */
  readonly accepted?: JsonObject;
  /** The method of every request; undefined if the model specifies it. */
  readonly method?: HttpMethod;
  readonly sideEffect?: SideEffect;
  readonly destination: DestinationRule;
  readonly takesCredential: boolean;
}
