import { YagateError } from "@yagate/protocol";
import type { WorkspaceStore } from "@yagate/store/port";
import type { Principal } from "../../secrets/principal.ts";

/** Finds the workspace that a request means. @throws YagateError `NOT_FOUND`: it is not the key's to see. */
export type AdministeredWorkspace = (principal: Principal, wanted: string | undefined) => Promise<string>;

/**
 * A key means its own workspace unless it names another, which only an operator's admin key may.
 *
 * @param operatorWorkspaceId - its admins are the operators.
 */
export function createAdministeredWorkspace(
  store: Pick<WorkspaceStore, "find">,
  operatorWorkspaceId: string,
): AdministeredWorkspace {
  return async ({ workspaceId, scopes }, wanted) => {
    if (wanted === undefined || wanted === workspaceId) return workspaceId;
    const isOperator = workspaceId === operatorWorkspaceId && scopes.has("admin");
    const isKnown = isOperator && (await store.find(wanted)) !== undefined;
    if (!isKnown) throw new YagateError("NOT_FOUND", "no workspace of this id");
    return wanted;
  };
}
