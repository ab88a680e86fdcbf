import type { Scope } from "@yagate/protocol";

/** Who asks, and what they may do. */
export interface Principal {
  readonly workspaceId: string;
  /** Null for the bootstrap key. */
  readonly keyId: string | null;
  readonly scopes: ReadonlySet<Scope>;
}
