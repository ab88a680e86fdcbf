import { YagateError } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { WorkspaceStore } from "@yagate/store/port";

/**
 * Returns the id of the workspace that a request addresses.
 * @throws YagateError `NOT_FOUND` if the key has no access to it.
 */
export type AdministeredWorkspace = (principal: Principal, wanted: string | undefined) => Promise<string>;

/**
 * Creates the function that finds the workspace of a request: the workspace of its key, or another one that the request
 * specifies. Only an operator's admin key may specify another one.
 *
 * @param operatorWorkspaceId - the workspace whose admin keys belong to operators.
 */
export function createAdministeredWorkspace(
  store: Pick<WorkspaceStore, "find">,
  operatorWorkspaceId: string,
): AdministeredWorkspace {
  return async ({ workspaceId, scopes }, wanted) => {
    if (wanted === undefined || wanted === workspaceId) return workspaceId;
    const isOperator = workspaceId === operatorWorkspaceId && scopes.has("admin");
    const isKnown = isOperator && (await store.find(wanted)) !== undefined;
    if (!isKnown) throw new YagateError("NOT_FOUND", "no workspace with this id");
    return wanted;
  };
}
