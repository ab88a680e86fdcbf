import { defined } from "@yagate/lib/objects/defined";
import { rotateSigningSecretSchema } from "@yagate/protocol";
import { checkedBody } from "../frame/checked-body.ts";
import type { Invocation } from "../frame/invocation.ts";

/**
 * Replaces a signing secret and prints the new one. Only the secret goes to standard output, so that it can be
 * redirected to a file.
 *
 * @throws WrongFieldsError `INVALID_REQUEST` for an invalid name or overlap.
 */
export async function rotateSigningSecret(
  invocation: Invocation,
  name: string | undefined,
  { overlap }: { readonly overlap?: string },
): Promise<void> {
  const overlapSeconds = overlap === undefined ? undefined : Number(overlap);
  const body = checkedBody(rotateSigningSecretSchema, defined({ name, overlapSeconds }));
  const client = await invocation.client();
  const rotated = await client.signingSecrets.rotate(body);
  const { output } = invocation;
  output.result(rotated, () => rotated.secret);
  output.note(`${rotated.id}: save this secret now; it will not be shown again.`);
  if (rotated.previousExpiresAt !== null) {
    output.note(`The previous secret of ${rotated.name} continues to sign until ${rotated.previousExpiresAt}.`);
  }
}
