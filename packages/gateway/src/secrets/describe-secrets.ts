import type { Secret } from "@yagate/protocol";
import type { WorkspaceSecrets } from "./workspace-secrets.ts";

const PAGE_SIZE = 100;

/** All secrets of a workspace by name, as they are at this moment, without their values. */
export async function describeSecrets(
  secrets: Pick<WorkspaceSecrets, "list">,
  workspaceId: string,
): Promise<ReadonlyMap<string, Secret>> {
  const byName = new Map<string, Secret>();
  let cursor: string | null | undefined;
  do {
    const { data, nextCursor } = await secrets.list(workspaceId, { limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) });
    for (const secret of data) byName.set(secret.name, secret);
    cursor = nextCursor;
  } while (cursor);
  return byName;
}
