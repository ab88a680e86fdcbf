import { execFileSync } from "node:child_process";
import { accountForRootless } from "../../../../test/services/account.ts";
import { execute } from "./execute.ts";

/** Sets how large a file the server's processes may write, in bytes. */
export async function limitFileSize(databaseUrl: string, bytes: string): Promise<void> {
  const rows = await execute<{ pid: number }>(
    databaseUrl,
    "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
  );
  const [own] = await execute<{ pid: number }>(databaseUrl, "SELECT pg_backend_pid() AS pid");
  const [first] = rows;
  if (first === undefined || own === undefined) throw new Error("expected the server's processes");
  const postmaster = execFileSync("ps", ["-o", "ppid=", "-p", String(first.pid)], { encoding: "utf8" }).trim();
  for (const pid of [postmaster, ...rows.map((row) => String(row.pid))]) {
    // The soft limit only, by the owner of the processes: that needs no privilege.
    execFileSync("prlimit", ["--pid", pid, `--fsize=${bytes}:`], { ...accountForRootless() });
  }
}
