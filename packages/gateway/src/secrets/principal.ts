import type { Scope } from "@yagate/protocol";

/** The caller of a request, and its rights. */
export interface Principal {
  readonly workspaceId: string;
  /** Null for the bootstrap key. */
  readonly keyId: string | null;
  /** The name of the key; absent for the bootstrap key. */
  readonly keyName?: string;
  readonly scopes: ReadonlySet<Scope>;
  /** When the key expires, in ms since the epoch; absent: never. */
  readonly expiresAt?: number;
  /** Set if the caller presented an execution token of the key: then it can access only this execution. */
  readonly execution?: TokenExecution;
}

/** The execution of an execution token. */
export interface TokenExecution {
  readonly id: string;
  /** When the token expires, in ms since the epoch. */
  readonly expiresAt: number;
}
