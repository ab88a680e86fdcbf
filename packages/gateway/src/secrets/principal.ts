import type { Scope } from "@yagate/protocol";

/** Who asks, and what they may do. */
export interface Principal {
  readonly workspaceId: string;
  /** Null for the bootstrap key. */
  readonly keyId: string | null;
  /** The key's name as it was read; absent for the bootstrap key. */
  readonly keyName?: string;
  readonly scopes: ReadonlySet<Scope>;
  /** From this moment on the key lets nobody in, in ms since the epoch; absent: it does not expire. */
  readonly expiresAt?: number;
  /** Whoever asks has only a token that the key made: nothing but this execution exists for them. */
  readonly execution?: TokenExecution;
}

/** What a token is for. */
export interface TokenExecution {
  readonly id: string;
  /** When the token is over, in ms since the epoch. */
  readonly expiresAt: number;
}
