import type { Scope } from "@yagate/protocol";

/** Who makes a request: one key of one workspace. */
export interface Principal {
  readonly workspaceId: string;
  /** Null for the bootstrap key. */
  readonly keyId: string | null;
  readonly scopes: ReadonlySet<Scope>;
}
