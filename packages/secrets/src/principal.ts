import type { KeyRouting, Scope } from "@yagate/protocol";

/** The authenticated sender of a request, with its rights. */
export interface Principal {
  readonly workspaceId: string;
  /** The id of the key; null for the bootstrap key; `oidc:<issuer>:<sub>` for an access token. */
  readonly keyId: string | null;
  /** The name of the key; absent for the bootstrap key and access tokens. */
  readonly keyName?: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The bounds for the routing of executions that the key starts; absent if it has none. */
  readonly routing?: KeyRouting;
  /** When the key or the access token expires, in ms since the epoch; absent if it does not expire. */
  readonly expiresAt?: number;
  /**
   * Set if the request was sent with an execution token of the key. The principal can then access only this execution.
   */
  readonly execution?: TokenExecution;
}

/** The execution to which an execution token gives access. */
export interface TokenExecution {
  readonly id: string;
  /** When the token expires, in ms since the epoch. */
  readonly expiresAt: number;
}
