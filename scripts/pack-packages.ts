import { join } from "node:path";
import { z } from "zod";
import { runCommand } from "./command.ts";
import { repositoryRoot } from "./repository-root.ts";
import { stepEnvironment } from "./step-environment.ts";
import { type WorkspacePackage, workspacePackages } from "./workspace-packages.ts";

const reportSchema = z.array(
  z.object({ name: z.string(), filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
);

/** A package as npm would publish it. */
export interface PackedPackage extends WorkspacePackage {
  readonly tarball: string;
  /** Paths inside the tarball, without its leading folder. */
  readonly files: readonly string[];
}

/** Packs every package into a folder. The packages must have been built. */
export async function packPackages(destination: string): Promise<readonly PackedPackage[]> {
  const packages = workspacePackages();
  const selected = packages.flatMap(({ name }) => ["--workspace", name]);
  const output = await runCommand(
    "npm",
    ["pack", "--json", "--loglevel=error", "--pack-destination", destination, ...selected],
    { cwd: repositoryRoot, env: stepEnvironment() },
  );
  const reports = reportSchema.parse(JSON.parse(output));
  return packages.map((entry) => {
    const report = reports.find(({ name }) => name === entry.name);
    if (report === undefined) throw new Error(`npm packed nothing for ${entry.name}`);
    return { ...entry, tarball: join(destination, report.filename), files: report.files.map(({ path }) => path) };
  });
}
