import { backupDataDirectory, configFromEnvironment } from "@yagate/gateway";
import type { Invocation } from "../frame/invocation.ts";

interface BackupOptions {
  readonly dataDir?: string;
  readonly withMasterKey?: boolean;
}

/** Copies the data directory that the environment sets, and prints what else must be kept. */
export async function backup(
  { output }: Invocation,
  folder: string,
  { dataDir, withMasterKey = false }: BackupOptions,
): Promise<void> {
  const config = configFromEnvironment(process.env, { options: { dataDir } });
  const report = await backupDataDirectory(config, folder, { withMasterKey });
  const { journalBytes, hasMasterKey } = report;
  output.done(
    { dataDir: config.dataDir, folder: report.folder, journalBytes, hasMasterKey },
    `${config.dataDir} was copied to ${report.folder} (journal.db: ${journalBytes} bytes)`,
  );
  output.note(keyLine(report));
}

function keyLine({ hasMasterKey, isKeyInFile }: Awaited<ReturnType<typeof backupDataDirectory>>): string {
  if (hasMasterKey) return "It contains master.key: everyone who has this folder can read every secret in it.";
  const where = isKeyInFile ? "the file master.key of the data directory" : "YAGATE_MASTER_KEYS";
  return `It does not contain the master keys. Keep ${where} elsewhere: without them, no gateway can start on this copy.`;
}
