import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runCommand } from "../../scripts/command.ts";
import { type PackedPackage, packPackages } from "../../scripts/pack-packages.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { stepEnvironment } from "../../scripts/step-environment.ts";
import { seededLockfile } from "./seeded-lockfile.ts";

/** A project outside the repository that has only the tarballs and what they depend on. */
export interface InstalledProject {
  readonly folder: string;
  readonly packages: readonly PackedPackage[];
  remove(): Promise<void>;
}

export async function installPackedPackages(): Promise<InstalledProject> {
  const folder = await mkdtemp(join(tmpdir(), "yagate-pack-"));
  const tarballs = join(folder, "tarballs");
  await mkdir(tarballs);
  const packages = await packPackages(tarballs);
  const dependencies = packages.map(({ name, folder: source, tarball }) => ({
    name,
    workspace: relative(repositoryRoot, source).replaceAll("\\", "/"),
    specifier: `file:${tarball}`,
  }));
  const manifest = {
    private: true,
    dependencies: Object.fromEntries(dependencies.map(({ name, specifier }) => [name, specifier])),
  };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const lockfile = await readFile(join(repositoryRoot, "package-lock.json"), "utf8");
  await writeFile(join(folder, "package-lock.json"), seededLockfile(lockfile, dependencies));
  await runCommand("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    env: stepEnvironment(),
  });
  // Whoever mounts the handler in Express, or starts a server, has these types already.
  await symlink(join(repositoryRoot, "node_modules", "@types"), join(folder, "node_modules", "@types"), "junction");
  await cp(join(import.meta.dirname, "consumers"), folder, { recursive: true });
  return { folder, packages, remove: () => rm(folder, { recursive: true }) };
}
