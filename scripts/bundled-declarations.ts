import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/**
 * Options for tsup's `dts`: the declarations of private packages are bundled, as their code is. Their modules are mapped
 * to files, because the bundler takes what it finds through `node_modules` to be installed with the package. tsup runs in
 * the folder of a package and compiles its configuration, so that a path relative to this module would be wrong.
 */
export function bundledDeclarations(): { readonly compilerOptions: { readonly paths: Record<string, string[]> } } {
  const parent = resolve("..");
  const paths: Record<string, string[]> = {};
  for (const folder of readdirSync(parent)) {
    const manifest: Manifest = JSON.parse(readFileSync(join(parent, folder, "package.json"), "utf8"));
    if (manifest.private !== true) continue;
    for (const [subpath, file] of Object.entries(manifest.exports ?? {})) {
      if (typeof file === "string") paths[`${manifest.name}${subpath.slice(1)}`] = [join(parent, folder, file)];
    }
  }
  return { compilerOptions: { paths } };
}
