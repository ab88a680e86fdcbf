import { isSigningSecret, MAX_LIVE_SECRETS, YagateError } from "@yagate/protocol/calls";

/**
 * A signing secret (`whsec_…`), or several during a rotation: newest first, at most 8.
 *
 * The type includes `undefined` so that values from `process.env` need no cast. An `undefined` secret is rejected when
 * the handler is created; it never disables verification.
 */
export type SecretList = string | undefined | readonly (string | undefined)[];

/** The secrets, or a function that returns them for each call, for example from a secret manager. */
export type SigningSecrets = SecretList | (() => SecretList | Promise<SecretList>);

/** The environment variable that contains the default secret. */
const DEFAULT_VARIABLE = "YAGATE_SIGNING_SECRET";

/**
 * Returns the option, or the value of the default variable if the option is absent. An option that is explicitly
 * `undefined` means that another environment variable is not set, so the default does not replace it.
 *
 * @throws {@link YagateError} `SECRET_INVALID` if neither is set.
 */
export function secretsOf(options: { readonly secrets?: SigningSecrets }): SigningSecrets {
  if ("secrets" in options) return options.secrets;
  const secret = globalThis.process?.env[DEFAULT_VARIABLE];
  if (secret === undefined || secret === "") throw invalid(`set ${DEFAULT_VARIABLE}, or pass the option \`secrets\``);
  return secret;
}

/** Returns the secrets for one call. */
export type SecretSource = () => readonly string[] | Promise<readonly string[]>;

/**
 * Converts the option to a function that returns the secrets. Validates them immediately unless they come from a
 * function.
 *
 * @throws {@link YagateError} `SECRET_INVALID` if there is no secret, more than 8, or a malformed one.
 */
export function toSecretSource(secrets: SigningSecrets): SecretSource {
  if (typeof secrets === "function") return async () => toSecrets(await secrets());
  const known = toSecrets(secrets);
  return () => known;
}

/** Checks secrets for the signing functions. Throws `SECRET_INVALID` with the position of the invalid secret. */
export function toSecrets(secrets: SecretList): readonly string[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  if (list.length === 0 || list.length > MAX_LIVE_SECRETS) {
    throw invalid(`expected 1 to ${MAX_LIVE_SECRETS} signing secrets`);
  }
  // Copied first, because map skips the holes of a sparse array, so it would return fewer secrets than were passed.
  return [...list].map((secret, index) => {
    if (isSigningSecret(secret)) return secret;
    const which = list.length === 1 ? "the signing secret" : `signing secret ${index + 1} of ${list.length}`;
    if (secret === undefined || secret === "")
      throw invalid(`${which} is missing: check that the environment variable is set, such as ${DEFAULT_VARIABLE}`);
    throw invalid(`${which} is malformed: expected whsec_ and base64, without spaces`);
  });
}

function invalid(message: string): YagateError {
  return new YagateError("SECRET_INVALID", message);
}
