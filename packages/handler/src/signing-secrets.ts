import { MAX_LIVE_SECRETS, parseSigningSecret, YagateError } from "@yagate/protocol";

/**
 * One signing secret (`whsec_…`), or several while one replaces another: newest first, at most 8.
 *
 * `undefined` is in the type so that `process.env` can be written without a cast; it is refused when the handler is
 * made, and never means "do not verify".
 */
export type SecretList = string | undefined | readonly (string | undefined)[];

/** The secrets themselves, or a function that looks them up for each call, as a secret manager needs it. */
export type SigningSecrets = SecretList | (() => SecretList | Promise<SecretList>);

/** Looks the secrets up for one call. */
export type SecretSource = () => readonly string[] | Promise<readonly string[]>;

/**
 * Turns the option into a lookup. Secrets that are known now are checked now.
 *
 * @throws {@link YagateError} `SECRET_INVALID`: no secret, more than 8, or one that is not well formed.
 */
export function toSecretSource(secrets: SigningSecrets): SecretSource {
  if (typeof secrets === "function") return async () => toSecrets(await secrets());
  const known = [...toSecrets(secrets)];
  for (const secret of known) parseSigningSecret(secret);
  return () => known;
}

/** The form that the signing functions take; they check each secret themselves. Throws `SECRET_INVALID`. */
export function toSecrets(secrets: SecretList): readonly string[] {
  const list = Array.isArray(secrets) ? secrets : [secrets];
  if (list.length === 0 || list.length > MAX_LIVE_SECRETS || !isComplete(list)) {
    throw new YagateError(
      "SECRET_INVALID",
      `expected 1 to ${MAX_LIVE_SECRETS} signing secrets; is the environment variable set?`,
    );
  }
  return list;
}

function isComplete(list: readonly unknown[]): list is readonly string[] {
  return list.every((secret) => typeof secret === "string" && secret !== "");
}
