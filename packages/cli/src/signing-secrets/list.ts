import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";

/** Prints the signing secrets of the workspace, without their values. */
export async function listSigningSecrets(invocation: Invocation): Promise<void> {
  const secrets = await (await invocation.client()).signingSecrets.list({ limit: 200 }).toArray();
  const rows = secrets.map(({ id, name, createdAt, expiresAt }) => [name, id, createdAt, expiresAt ?? "-"]);
  invocation.output.result(secrets, () =>
    rows.length === 0
      ? "There are no signing secrets in this workspace."
      : table([["NAME", "ID", "CREATED", "SIGNS UNTIL"], ...rows]),
  );
}
