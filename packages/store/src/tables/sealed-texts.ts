import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

/** The kinds of encrypted values, except the canary of the keyring. */
export type SealedKind = "workspace-secret" | "signing-secret";

/** An encrypted value with its owner. */
export interface SealedText {
  readonly kind: SealedKind;
  readonly workspaceId: string;
  readonly name: string;
  /**
   * The id of a signing secret, because several signing secrets may have the same name; empty for a workspace secret.
   */
  readonly id: string;
  readonly sealed: string;
}

/** The encrypted values of all workspaces, for re-encryption. */
export interface SealedTextStore {
  /**
   * Reads one page in a stable order.
   * @param page.after - the last value of the previous page; undefined: from the start.
   */
  list(page: {
    readonly kind: SealedKind;
    readonly after: SealedText | undefined;
    readonly limit: number;
  }): Promise<readonly SealedText[]>;
  /**
   * Replaces encrypted values in one commit. Skips values that have been changed or deleted in the meantime.
   * @returns the number of replaced values.
   */
  replace(changes: readonly { readonly from: SealedText; readonly sealed: string }[]): Promise<number>;
}

interface SealedRecord {
  readonly workspace_id: string;
  readonly name: string;
  readonly id: string;
  readonly sealed: string;
}

type Page = Parameters<SealedTextStore["list"]>[0];
type Change = Parameters<SealedTextStore["replace"]>[0][number];

function* list({ kind, after, limit }: Page): UnitOfWork<readonly SealedText[]> {
  const { workspaceId = "", name = "", id = "" } = after ?? {};
  const records =
    kind === "workspace-secret"
      ? yield* all(sql<SealedRecord>`
          SELECT workspace_id, name, '' AS id, sealed FROM workspace_secrets
          WHERE (workspace_id, name) > (${workspaceId}, ${name}) ORDER BY workspace_id, name LIMIT ${limit}`)
      : yield* all(sql<SealedRecord>`
          SELECT workspace_id, name, id, sealed FROM signing_secrets WHERE id > ${id} ORDER BY id LIMIT ${limit}`);
  return records.map((record) => ({
    kind,
    workspaceId: record.workspace_id,
    name: record.name,
    id: record.id,
    sealed: record.sealed,
  }));
}

function* replace(changes: readonly Change[]): UnitOfWork<number> {
  let replaced = 0;
  for (const { from, sealed } of changes) {
    // A value that was written in the meantime is already encrypted with a newer key.
    const row =
      from.kind === "workspace-secret"
        ? yield* first(sql<{ name: string }>`
            UPDATE workspace_secrets SET sealed = ${sealed}
            WHERE workspace_id = ${from.workspaceId} AND name = ${from.name} AND sealed = ${from.sealed}
            RETURNING name`)
        : yield* first(sql<{ name: string }>`
            UPDATE signing_secrets SET sealed = ${sealed} WHERE id = ${from.id} AND sealed = ${from.sealed}
            RETURNING name`);
    if (row !== undefined) replaced += 1;
  }
  return replaced;
}

export function createSealedTextStore(units: UnitRunner): SealedTextStore {
  return {
    list: (page) => units.read(() => list(page)),
    replace: (changes) => units.write(() => replace(changes)),
  };
}
