import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

/** What is stored sealed, beside the keyring's canary. */
export type SealedKind = "workspace-secret" | "signing-secret";

/** A sealed text, and what it was sealed for. */
export interface SealedText {
  readonly kind: SealedKind;
  readonly workspaceId: string;
  readonly name: string;
  /** Of a signing secret, since a name may have several; empty for a workspace secret. */
  readonly id: string;
  readonly sealed: string;
}

/** The sealed texts of all workspaces, for whoever seals them anew. */
export interface SealedTextStore {
  /**
   * One page in an order that stays as it is.
   * @param page.after - the last one of the page before; undefined: from the first one on.
   */
  list(page: {
    readonly kind: SealedKind;
    readonly after: SealedText | undefined;
    readonly limit: number;
  }): Promise<readonly SealedText[]>;
  /**
   * Puts other sealed texts in the place of those given, in one commit. One that was changed or deleted meanwhile stays
   * as it is now.
   * @returns how many were replaced.
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
    // What was written meanwhile was sealed by whoever wrote it.
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
