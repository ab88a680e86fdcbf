import type { SecretAuth } from "@yagate/protocol";

/** The metadata of a secret, without its value. */
export interface SecretMetadata {
  readonly auth: SecretAuth | null;
  /** The only hosts to which the secret may be sent. If the list is empty, the secret can't be sent. */
  readonly hosts: readonly string[];
}

/** Finds the metadata of a secret; undefined if the workspace has no secret with this name. */
export type FindSecret = (name: string) => Promise<SecretMetadata | undefined>;

/** Returns the secrets of the workspace with these names, by name and without values. */
export type DescribeSecrets = (
  names: readonly string[],
) => Promise<ReadonlyMap<string, { readonly hosts: readonly string[] }>>;
