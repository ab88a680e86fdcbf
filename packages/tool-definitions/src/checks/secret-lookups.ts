import type { SecretAuth } from "@yagate/protocol";

/** What is known of a secret without its value. */
export interface SecretMetadata {
  readonly auth: SecretAuth | null;
  /** The only hosts that it may be sent to; none: nowhere. */
  readonly hosts: readonly string[];
}

/** Undefined: the workspace has no secret of this name. */
export type FindSecret = (name: string) => Promise<SecretMetadata | undefined>;

/** Those of the named secrets that the workspace has, by name, without their values. */
export type DescribeSecrets = (
  names: readonly string[],
) => Promise<ReadonlyMap<string, { readonly hosts: readonly string[] }>>;
