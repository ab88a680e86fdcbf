import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defined } from "@yagate/lib/objects/defined";

/** The built console: beside the bundled gateway, or in its package if the gateway runs from its sources. */
const BUILT = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../../console/dist/" : "./console/", import.meta.url),
);

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Files that only a development gateway serves. */
const DEVELOPMENT_ONLY = /^gallery[.-]/;

/** A file of the console, with the compressed forms that were made when it was built. */
export interface ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

/** Whether the console was built with this gateway. */
export function isConsoleBuilt(folder = BUILT): boolean {
  return existsSync(join(folder, "index.html"));
}

/** The files of the built console. */
export interface ConsoleFiles {
  /** The page that every path of the console shows; undefined if the console was not built. */
  readonly shell: ConsoleFile | undefined;
  /** The files that the page loads, by name. Their names contain a hash of their content. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

/**
 * Reads the built console.
 * @param isDevelopment - whether to include what only a development gateway serves.
 * @param folder - default: the console that was built with this gateway.
 */
export async function readConsoleFiles(isDevelopment: boolean, folder = BUILT): Promise<ConsoleFiles> {
  const names = await readdir(join(folder, "assets")).catch(() => []);
  const plain = names.filter((name) => TYPES[extname(name)] !== undefined);
  const served = plain.filter((name) => isDevelopment || !DEVELOPMENT_ONLY.test(name));
  const read = async (name: string) => [name, await readConsoleFile(join(folder, "assets", name))] as const;
  const [shell, ...assets] = await Promise.all([
    readConsoleFile(join(folder, "index.html")).catch(() => undefined),
    ...served.map(read),
  ]);
  return { shell, assets: new Map(assets) };
}

async function readConsoleFile(path: string): Promise<ConsoleFile> {
  const compressed = (suffix: string) => readFile(`${path}${suffix}`).catch(() => undefined);
  const [plain, br, gzip] = await Promise.all([readFile(path), compressed(".br"), compressed(".gz")]);
  const type = TYPES[extname(path)] ?? "application/octet-stream";
  return { type, plain, ...defined({ br, gzip }) };
}
