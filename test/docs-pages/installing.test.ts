import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { type WorkspacePackage, workspacePackages } from "../../scripts/workspace-packages.ts";

const packages = workspacePackages();
const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");

/** The package and all that it needs, however indirectly. */
function closureOf(name: string): ReadonlySet<WorkspacePackage> {
  const found = packages.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`there is no package ${name}`);
  return new Set([found, ...found.needs.flatMap((needed) => [...closureOf(needed)])]);
}

const tarballOf = ({ name }: WorkspacePackage) => name.replace("@", "").replace("/", "-");

/** The tarballs that one `npm install` of the page names, by the last of them. */
function installedTogether(): ReadonlyMap<string, readonly string[]> {
  const commands = read("docs/quickstart.md").replaceAll("\\\n", " ").split("\n");
  const lists = commands
    .filter((line) => line.startsWith("npm install "))
    .map((line) => [...line.matchAll(/\$TARBALLS\/(yagate-[a-z]+)-\d/g)].map(([, tarball = ""]) => tarball));
  return new Map(lists.map((tarballs) => [tarballs.at(-1) ?? "", tarballs]));
}

describe("docs/quickstart.md", () => {
  it.each(["@yagate/handler", "@yagate/client", "@yagate/cli"])(
    "installs %s with every tarball that it needs",
    (name) => {
      const needed = [...closureOf(name)].map(tarballOf);
      expect(installedTogether().get(name.replace("@", "").replace("/", "-"))?.toSorted()).toEqual(needed.toSorted());
    },
  );

  it("packs every package", () => {
    const packed = [...read("docs/quickstart.md").matchAll(/-w (packages\/[a-z]+)/g)].map(([, folder]) => folder);
    const folders = packages.map(({ folder }) => `packages/${folder.split(/[\\/]/).at(-1)}`);
    expect(packed.toSorted()).toEqual(folders.toSorted());
  });
});

it("no page and no message tells a reader to run the unscoped command through npx", () => {
  const paths = globSync(
    ["README.md", "{docs,docs/frameworks}/*.md", "{packages,examples}/*/README.md", "packages/*/src/**/*.ts"],
    {
      cwd: repositoryRoot,
    },
  );
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => /\bnpx (?:--?[a-z]+ )*yagate\b/.test(read(path)))).toEqual([]);
});
