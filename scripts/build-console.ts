import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { installedTool, runTool } from "./installed-tool.ts";
import { repositoryRoot } from "./repository-root.ts";

const FOLDER = join(repositoryRoot, "packages", "console");
const BUILT = join(FOLDER, "dist");

/** Builds the pages of the console, with compressed forms of each file beside it. */
export async function buildConsole(): Promise<void> {
  await runTool(installedTool("vite"), ["build", "--logLevel", "error"], FOLDER);
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
