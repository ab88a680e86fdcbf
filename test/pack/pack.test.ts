import { readFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../scripts/command.ts";
import { installedTool } from "../../scripts/installed-tool.ts";
import { installNode20 } from "../../scripts/node20.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { stepEnvironment } from "../../scripts/step-environment.ts";
import { workspacePackages } from "../../scripts/workspace-packages.ts";
import { readImports } from "../architecture/read-imports.ts";
import { type InstalledProject, installPackedPackages } from "./installed-project.ts";

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});
const node20 = await installNode20();
const packages = workspacePackages();
/** The comments with which esbuild marks modules of the private packages, and the meta-schemas that lib reads. */
const PUBLISHED = packages.map(({ folder }) => basename(folder)).join("|");
const BUNDLED_MODULE = new RegExp(
  `// \\.\\./(?:(?!(?:${PUBLISHED})/)[\\w-]+/(?:src|data)|\\.\\./node_modules/ajv(?:-draft-04)?/dist/refs)/\\S+$`,
  "gm",
);
const portable = packages.filter(({ hasCommonJs }) => hasCommonJs);

/** `@yagate/handler/express` for each subpath that holds code. */
function specifiers(of: typeof packages): readonly string[] {
  return of.flatMap(({ name, subpaths }) =>
    subpaths
      .filter((subpath) => !subpath.includes("*") && !subpath.endsWith(".json"))
      .map((subpath) => `${name}${subpath.slice(1)}`),
  );
}

let project: InstalledProject;

beforeAll(async () => {
  project = await installPackedPackages();
});

afterAll(() => project.remove());

function run(node: string, ...args: string[]): Promise<string> {
  return runCommand(node, args, { cwd: project.folder, env: stepEnvironment() });
}

describe("the installed packages", () => {
  it("can be imported by every subpath", async () => {
    const output = await run(process.execPath, "import-all.mjs", ...specifiers(packages));
    expect(output).toContain("@yagate/gateway/egress");
    expect(output).toContain("round trip");
  });

  it("can be required by every subpath, where they promise CommonJS", async () => {
    const output = await run(process.execPath, "require-all.cjs", ...specifiers(portable));
    expect(output).toContain("@yagate/handler/express");
    expect(output).toContain("round trip");
  });

  // Each file takes as long to find and compile as many lines of code.
  it.each([
    ["@yagate/handler", 15],
    ["@yagate/client", 6],
    ["@yagate/protocol", 5],
  ])("import %s as at most %i modules besides those of zod", async (specifier, most) => {
    const urls = (await run(process.execPath, "list-modules.mjs", specifier)).trim().split("\n");
    const own = urls.filter((url) => !url.includes("/node_modules/zod/"));
    expect(own.length).toBeGreaterThan(1);
    expect(own.length, own.join("\n")).toBeLessThanOrEqual(most);
  });

  it.skipIf(node20 === undefined)("run on Node 20, where they promise it", async () => {
    expect(await run(node20 ?? "", "--version")).toMatch(/^v20\./);
    expect(await run(node20 ?? "", "import-all.mjs", ...specifiers(portable))).toContain("round trip");
    expect(await run(node20 ?? "", "require-all.cjs", ...specifiers(portable))).toContain("round trip");
  });

  it.each(["typescript7", "typescript"])("have declarations that %s accepts in strict modules", async (compiler) => {
    // Configuration files import the last one, also in CommonJS projects.
    const all = [...specifiers(portable), "@yagate/cli/config"];
    const imports = all.map((specifier, index) => `import * as m${index} from "${specifier}";`);
    const uses = imports.map((_line, index) => `void m${index};`);
    const files = [`${compiler}.mts`, `${compiler}.cts`];
    for (const file of files) await writeFile(join(project.folder, file), [...imports, ...uses].join("\n"));
    const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false"];
    const target = ["--target", "es2022", "--module", "nodenext", "--types", "node"];
    const compiling = run(process.execPath, installedTool(compiler, "tsc"), ...options, ...target, ...files);
    await expect(compiling).resolves.toBe("");
  });

  it("guard what is sent through @yagate/gateway/egress", async () => {
    await expect(run(process.execPath, "egress-guard.mjs")).resolves.toContain("guarded");
  });

  it("bring the yagate command", async () => {
    const manifest = await readFile(join(repositoryRoot, "packages", "cli", "package.json"), "utf8");
    const output = await run("npm", "exec", "--loglevel=error", "--", "yagate", "--version");
    expect(JSON.parse(manifest)).toMatchObject({ version: output.trim() });
  });
});

it("the gateway's tarball holds the built console, with compressed forms, in at most 1.5 MB", async () => {
  const gateway = project.packages.find(({ name }) => name === "@yagate/gateway");
  const files = gateway?.files ?? [];
  expect(files).toContain("dist/console/index.html");
  const scripts = files.filter((path) => /^dist\/console\/assets\/.*\.js$/.test(path));
  expect(scripts.length).toBeGreaterThan(0);
  expect(files).toEqual(expect.arrayContaining(scripts.flatMap((path) => [`${path}.br`, `${path}.gz`])));
  expect((await stat(gateway?.tarball ?? "")).size).toBeLessThanOrEqual(1_500_000);
});

describe.each(packages)("the tarball of $name", ({ name }) => {
  const packed = () => {
    const found = project.packages.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`${name} was not packed`);
    return found;
  };

  it("holds the licence, the README and what was built, and nothing else", () => {
    const { files } = packed();
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(
      files.filter(
        (path) =>
          !/^(LICENSE|README\.md|package\.json|dist\/.+|bin\/.+|schemas\/.+|templates\/.+|vectors\/.+)$/.test(path),
      ),
    ).toEqual([]);
    // A project that yagate init creates has a test of its own.
    const own = files.filter((path) => !path.startsWith("templates/"));
    expect(own.filter((path) => /(^|[./])(test|spec|tsbuildinfo)\b|\.map$/.test(path))).toEqual([]);
  });

  it("was built from this package's own files, and does not say where", async () => {
    const built = packed().files.filter((path) => path.startsWith("dist/"));
    expect(built).not.toEqual([]);
    const folder = join(project.folder, "node_modules", name);
    const texts = await Promise.all(built.map((path) => readFile(join(folder, path), "utf8")));
    const own = texts.map((text) => text.replaceAll(BUNDLED_MODULE, ""));
    const foreign = [repositoryRoot, "/src/", "node_modules/", "sourceMappingURL="];
    expect(foreign.filter((place) => own.some((text) => text.includes(place)))).toEqual([]);
  });

  it("imports only what it declares", async () => {
    const folder = join(project.folder, "node_modules", name);
    const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const code = packed().files.filter((path) => /\.(js|cjs|d\.ts|d\.cts)$/.test(path));
    const texts = await Promise.all(code.map((path) => readFile(join(folder, path), "utf8")));
    const libraries = texts
      .flatMap((text) => readImports(text).map(({ specifier }) => specifier))
      .filter((specifier) => !/^([.#]|node:)/.test(specifier))
      .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0]);
    expect(libraries).not.toEqual([]);
    expect(libraries.filter((library) => library === undefined || !declared.includes(library))).toEqual([]);
  });
});
