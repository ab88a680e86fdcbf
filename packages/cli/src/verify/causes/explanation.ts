import type { NamedSecret } from "../../signing-secrets/named-secret.ts";
import type { Cause } from "./cause.ts";

/** Why a call was rejected. */
export interface Explanation {
  readonly causes: readonly Cause[];
  /**
   * Whether it was proven by producing exactly the signature that was sent, or is a guess from the form of the request.
   */
  readonly isProven: boolean;
  /** The secret that was used. */
  readonly secret?: NamedSecret;
}
