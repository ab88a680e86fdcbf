import { type SqlStatement, sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

/** The kinds of encrypted values, except the canary of the keyring. */
export type SealedKind = "workspace-secret" | "signing-secret" | "oauth-grant";

/** An encrypted value with its owner. */
export interface SealedText {
  readonly kind: SealedKind;
  readonly workspaceId: string;
  /** The name of a secret; the issuer and the resource of a grant, separated by a space. */
  readonly name: string;
  /**
   * The id of a signing secret, because several signing secrets may have the same name; the id of a grant's tool source;
   * empty for a workspace secret.
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

function pageOf({ kind, after, limit }: Page): SqlStatement<SealedRecord> {
  const { workspaceId = "", name = "", id = "" } = after ?? {};
  switch (kind) {
    case "workspace-secret":
      return sql`
        SELECT workspace_id, name, '' AS id, sealed FROM workspace_secrets
        WHERE (workspace_id, name) > (${workspaceId}, ${name}) ORDER BY workspace_id, name LIMIT ${limit}`;
    case "signing-secret":
      return sql`
        SELECT workspace_id, name, id, sealed FROM signing_secrets WHERE id > ${id} ORDER BY id LIMIT ${limit}`;
    case "oauth-grant":
      return sql`
        SELECT workspace_id, issuer || ' ' || resource AS name, source_id AS id, sealed FROM oauth_grants
        WHERE source_id > ${id} ORDER BY source_id LIMIT ${limit}`;
  }
}

function* list(page: Page): UnitOfWork<readonly SealedText[]> {
  const records = yield* all(pageOf(page));
  return records.map((record) => ({
    kind: page.kind,
    workspaceId: record.workspace_id,
    name: record.name,
    id: record.id,
    sealed: record.sealed,
  }));
}

function replacementOf({ from, sealed }: Change): SqlStatement<{ name: string }> {
  switch (from.kind) {
    case "workspace-secret":
      return sql`
        UPDATE workspace_secrets SET sealed = ${sealed}
        WHERE workspace_id = ${from.workspaceId} AND name = ${from.name} AND sealed = ${from.sealed} RETURNING name`;
    case "signing-secret":
      return sql`
        UPDATE signing_secrets SET sealed = ${sealed} WHERE id = ${from.id} AND sealed = ${from.sealed} RETURNING name`;
    case "oauth-grant":
      return sql`
        UPDATE oauth_grants SET sealed = ${sealed} WHERE source_id = ${from.id} AND sealed = ${from.sealed}
        RETURNING issuer AS name`;
  }
}

function* replace(changes: readonly Change[]): UnitOfWork<number> {
  let replaced = 0;
  for (const change of changes) {
    // A value that was written in the meantime is already encrypted with a newer key.
    if ((yield* first(replacementOf(change))) !== undefined) replaced += 1;
  }
  return replaced;
}

export function createSealedTextStore(units: UnitRunner): SealedTextStore {
  return {
    list: (page) => units.read(() => list(page)),
    replace: (changes) => units.write(() => replace(changes)),
  };
}
