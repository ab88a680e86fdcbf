import type { SealContext } from "./seal.ts";

/**
 * The context of the tokens of a tool source.
 *
 * @param grant.place - the issuer and the resource, separated by a space.
 */
export function oauthGrantContext(grant: {
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly place: string;
}): SealContext {
  return ["oauth-grant", grant.workspaceId, grant.sourceId, grant.place];
}
