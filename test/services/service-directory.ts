import { chown, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, canReach } from "./account.ts";

/** An empty folder of the account's own, where it can get to. */
export async function createServiceDirectory(service: string, account: Account | undefined): Promise<string> {
  const parent = [tmpdir(), "/tmp", "/var/tmp"].find((folder) => canReach(account, folder)) ?? tmpdir();
  const directory = await mkdtemp(join(parent, `yagate-${service}-`));
  if (account !== undefined) await chown(directory, account.uid, account.gid);
  return directory;
}
