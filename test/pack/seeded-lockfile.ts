import { z } from "zod";

const lockfileSchema = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ link: z.boolean().optional() })),
});

export interface TarballDependency {
  readonly name: string;
  /** Its folder in the repository, as the lockfile writes it: `packages/protocol`. */
  readonly workspace: string;
  /** `file:` and the tarball's path. */
  readonly specifier: string;
}

/**
 * A lockfile for a project that installs the tarballs, with every other version taken from the repository's own. npm
 * then asks the registry for nothing that `npm ci` has not already fetched, and drops what the tarballs do not declare.
 */
export function seededLockfile(repositoryLockfile: string, dependencies: readonly TarballDependency[]): string {
  const { packages } = lockfileSchema.parse(JSON.parse(repositoryLockfile));
  const root = { dependencies: Object.fromEntries(dependencies.map(({ name, specifier }) => [name, specifier])) };
  const seeded: Record<string, unknown> = { "": root };
  for (const [path, entry] of Object.entries(packages)) {
    if (path === "" || entry.link === true) continue;
    const owner = dependencies.find(({ workspace }) => path === workspace || path.startsWith(`${workspace}/`));
    if (owner !== undefined) {
      const installedPath = path.replace(owner.workspace, `node_modules/${owner.name}`);
      seeded[installedPath] = path === owner.workspace ? { ...entry, resolved: owner.specifier } : entry;
    } else if (path.startsWith("node_modules/")) {
      const { dev: _dev, optional: _optional, devOptional: _devOptional, peer: _peer, ...kept } = entry;
      seeded[path] = kept;
    }
  }
  return JSON.stringify({ lockfileVersion: 3, requires: true, packages: seeded });
}
