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

/** The variable that holds the secret of a handler whose options name none. */
const DEFAULT_VARIABLE = "YAGATE_SIGNING_SECRET";

/**
 * The option, or the default variable where the option was left out. One that was given as `undefined` stands for another
 * variable, which is not set: the default must not take its place.
 *
 * @throws {@link YagateError} `SECRET_INVALID` when neither is there.
 */
export function secretsOf(options: { readonly secrets?: SigningSecrets }): SigningSecrets {
  if ("secrets" in options) return options.secrets;
  const secret = globalThis.process?.env[DEFAULT_VARIABLE];
  if (secret === undefined || secret === "") throw invalid(`set ${DEFAULT_VARIABLE}, or give the option secrets`);
  return secret;
}

/** Looks the secrets up for one call. */
export type SecretSource = () => readonly string[] | Promise<readonly string[]>;

/**
 * Turns the option into a lookup. Secrets that are known now are checked now.
 *
 * @throws {@link YagateError} `SECRET_INVALID`: no secret, more than 8, or one that is not well formed.
 */
export function toSecretSource(secrets: SigningSecrets): SecretSource {
  if (typeof secrets === "function") return async () => toSecrets(await secrets());
  const known = toSecrets(secrets);
  return () => known;
}

/** The form that the signing functions take. Throws `SECRET_INVALID`, which says by its place which of several it is. */
export function toSecrets(secrets: SecretList): readonly string[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  if (list.length === 0 || list.length > MAX_LIVE_SECRETS) {
    throw invalid(`expected 1 to ${MAX_LIVE_SECRETS} signing secrets`);
  }
  // Not map: it would step over the holes of a sparse array, and fewer secrets would be compared than were given.
  return Array.from(list, (secret, index) => {
    const which = list.length === 1 ? "the signing secret" : `signing secret ${index + 1} of ${list.length}`;
    if (secret === undefined || secret === "") throw invalid(`${which} is missing; is the environment variable set?`);
    if (!isWellFormed(secret))
      throw invalid(`${which} is malformed: expected whsec_ and base64, with nothing around it`);
    return secret;
  });
}

function isWellFormed(secret: unknown): secret is string {
  if (typeof secret !== "string") return false;
  try {
    parseSigningSecret(secret);
    return true;
  } catch {
    return false;
  }
}

function invalid(message: string): YagateError {
  return new YagateError("SECRET_INVALID", message);
}
