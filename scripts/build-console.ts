import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { runCommand } from "./command.ts";
import { installedTool } from "./installed-tool.ts";
import { repositoryRoot } from "./repository-root.ts";
import { stepEnvironment } from "./step-environment.ts";

const FOLDER = join(repositoryRoot, "packages", "console");
const BUILT = join(FOLDER, "dist");

/** Builds the pages of the console, with compressed forms of each file beside it. */
export async function buildConsole(): Promise<void> {
  // Tests, which have another value, build it too.
  const env = { ...stepEnvironment(), NODE_ENV: "production" };
  await runCommand(process.execPath, [installedTool("vite"), "build", "--logLevel", "error"], { cwd: FOLDER, env });
  const assets = join(BUILT, "assets");
  for (const name of readdirSync(assets)) {
    const content = readFileSync(join(assets, name));
    writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content, { params }));
  }
}

/** Copies the built console into the built gateway, which serves it. */
export function placeConsole(): void {
  const place = join(repositoryRoot, "packages", "gateway", "dist", "console");
  rmSync(place, { recursive: true, force: true });
  cpSync(BUILT, place, { recursive: true });
}
