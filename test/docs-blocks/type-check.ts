import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailed } from "../../scripts/command.ts";
import { installedTool, runTool } from "../../scripts/installed-tool.ts";
import type { BlockKind, BlockModule } from "./block-modules.ts";

// An example may leave a value unused that the reader's own code goes on with.
const ts = { noUnusedLocals: false, noUnusedParameters: false };

const COMPILER_OPTIONS: Readonly<Record<BlockKind, object>> = {
  ts,
  js: { allowJs: true, checkJs: true, noImplicitAny: false, noUncheckedIndexedAccess: false },
  browser: {
    ...ts,
    lib: ["es2024", "dom", "dom.iterable"],
    types: [],
    module: "esnext",
    moduleResolution: "bundler",
    rewriteRelativeImportExtensions: false,
  },
};

/** Jest takes 55 MB, and these of its functions have the types of Vitest's. */
const JEST_GLOBALS = "jest-globals.d.ts";

/** Writes the modules into a folder of the repository and returns what the compiler says, by file name. */
export async function typeCheck(
  folder: string,
  baseConfiguration: string,
  modules: readonly BlockModule[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all(modules.map(({ fileName, text }) => writeFile(join(folder, fileName), text)));
  await writeFile(
    join(folder, JEST_GLOBALS),
    'declare module "@jest/globals" { export { expect, it } from "vitest"; }\n',
  );
  const problems: string[] = [];
  for (const [kind, compilerOptions] of Object.entries(COMPILER_OPTIONS)) {
    const files = modules.filter((module) => module.kind === kind).map(({ fileName }) => fileName);
    if (files.length === 0) continue;
    const options = { ...compilerOptions, moduleDetection: "force" };
    const shared = kind === "ts" ? [JEST_GLOBALS] : [];
    const configuration = { extends: baseConfiguration, files: [...files, ...shared], compilerOptions: options };
    const path = join(folder, `tsconfig.${kind}.json`);
    await writeFile(path, JSON.stringify(configuration));
    problems.push(...(await compile(path, folder)));
  }
  return new Map(modules.map((module) => [module.fileName, problems.flatMap((line) => inPage(line, module))]));
}

async function compile(configuration: string, folder: string): Promise<readonly string[]> {
  try {
    // Another step runs at the same time, and each additional checker reads most declarations again.
    const options = ["--noEmit", "--pretty", "false", "--checkers", "1"];
    await runTool(installedTool("typescript7", "tsc"), [...options, "-p", configuration], folder);
    return [];
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const lines = error.output.split("\n").filter((line) => /^[^\s].*error TS\d+/.test(line));
    if (lines.length === 0) throw error;
    const elsewhere = lines.filter((line) => !/^[\w-]+\.[jt]s\(/.test(line));
    if (elsewhere.length > 0) throw new Error(`what the blocks import does not compile:\n${elsewhere.join("\n")}`);
    return lines;
  }
}

/** A compiler's line about a module, with the page's line instead of the file's. */
function inPage(problem: string, { fileName, linesBefore, block }: BlockModule): readonly string[] {
  const [, line, rest] = new RegExp(`^${fileName.replace(".", "\\.")}\\((\\d+),\\d+\\): (.*)$`).exec(problem) ?? [];
  if (line === undefined || Number(line) <= linesBefore) return [];
  return [`${block.page}:${block.line + Number(line) - linesBefore - 1}: ${rest}`];
}
