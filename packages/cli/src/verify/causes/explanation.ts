import type { NamedSecret } from "../../signing-secrets/named-secret.ts";
import type { Cause } from "./cause.ts";

/** Why a call was rejected. */
export interface Explanation {
  readonly causes: readonly Cause[];
  /**
   * Whether the cause was proven by reproducing exactly the signature that was sent; otherwise it is a guess from the
   * form of the request.
   */
  readonly isProven: boolean;
  /** The secret with which the cause was proven. */
  readonly secret?: NamedSecret;
}
