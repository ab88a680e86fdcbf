import type { NamedSecret } from "@yagate/lib/redaction/search/needles";
import type { OpenedSecret, WorkspaceSecrets } from "@yagate/secrets/workspace-secrets";

/** The secrets of one workspace that are decrypted while a request is prepared. */
export interface OpenedSecrets {
  get(name: string): OpenedSecret | undefined;
  /** The values of these secrets, in every form that would reveal one. */
  readonly named: readonly NamedSecret[];
}

/** Decrypts secrets. Secrets that do not exist in the workspace are left out. */
export async function openSecrets(
  secrets: Pick<WorkspaceSecrets, "open">,
  workspaceId: string,
  names: Iterable<string>,
): Promise<OpenedSecrets> {
  const opened = new Map<string, OpenedSecret>();
  await Promise.all(
    [...new Set(names)].map(async (name) => {
      const secret = await secrets.open(workspaceId, name);
      if (secret !== undefined) opened.set(name, secret);
    }),
  );
  return {
    get: (name) => opened.get(name),
    named: [...opened].flatMap(([name, { texts }]) => texts.map((value) => ({ name, value }))),
  };
}
