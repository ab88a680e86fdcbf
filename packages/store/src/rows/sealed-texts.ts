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
