import type { NamedSecret } from "../../signing-secrets/named-secret.ts";
import type { Cause } from "./cause.ts";

/** Why a call was refused. */
export interface Explanation {
  readonly causes: readonly Cause[];
  /** Whether trying it gave the very signature that was sent, or it is a guess from how the request looks. */
  readonly isProven: boolean;
  /** The secret that it was tried with. */
  readonly secret?: NamedSecret;
}
