import type { OAuthClient, OAuthServer, OAuthTokens } from "@yagate/mcp/oauth/port";
import { oauthGrantContext } from "@yagate/secrets/oauth-context";
import type { Sealer } from "@yagate/secrets/seal";
import type { OAuthGrantRow, OAuthGrantStore } from "@yagate/store/port";

/** The content of a grant. It must not be logged. */
export interface GrantContent {
  /** Without the secret of a client that a person registered, which is a workspace secret. */
  readonly client: OAuthClient;
  /** What the servers published when the tokens were requested. Later requests go to the same places. */
  readonly server: OAuthServer;
  /** Null if a person has to sign in. */
  readonly tokens: OAuthTokens | null;
}

/** A grant that was decrypted for one use. */
export interface OpenedGrant extends GrantContent {
  readonly revision: number;
}

/** Whose grant it is. */
export interface GrantOwner {
  readonly workspaceId: string;
  readonly sourceId: string;
}

/** The grants of all tool sources, in clear text. */
export interface StoredGrants {
  /** Decrypts the grant of a source. Returns undefined if it has none from this issuer. */
  find(owner: GrantOwner, issuer: string): Promise<OpenedGrant | undefined>;
  /** Returns a grant as the store keeps it. */
  toRow(owner: GrantOwner, issuer: string, content: GrantContent): Promise<Omit<OAuthGrantRow, "revision">>;
}

export interface StoredGrantsOptions {
  readonly store: Pick<OAuthGrantStore, "find">;
  readonly sealer: Sealer;
  readonly now: () => number;
}

export function createStoredGrants({ store, sealer, now }: StoredGrantsOptions): StoredGrants {
  const contextOf = (owner: GrantOwner, issuer: string, resource: string) =>
    oauthGrantContext({ ...owner, place: `${issuer} ${resource}` });
  return {
    async find({ workspaceId, sourceId }, issuer) {
      const row = await store.find(workspaceId, sourceId);
      if (row?.issuer !== issuer) return undefined;
      const text = await sealer.open(row.sealed, contextOf({ workspaceId, sourceId }, issuer, row.resource));
      // This module wrote the content.
      const content: GrantContent = JSON.parse(text);
      return { ...content, revision: row.revision };
    },
    async toRow({ workspaceId, sourceId }, issuer, content) {
      const { resource } = content.server;
      const context = contextOf({ workspaceId, sourceId }, issuer, resource);
      const sealed = await sealer.seal(JSON.stringify(content), context);
      return { workspaceId, sourceId, issuer, resource, sealed, updatedAt: now() };
    },
  };
}
