import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import * as nodeBuild from "../../src/index.ts";

export type Protocol = typeof nodeBuild;

const INDEX = fileURLToPath(new URL("../../src/index.ts", import.meta.url));

/** Bundles the package from its sources the way an edge or browser bundler does: without the `node` condition. */
export async function bundleForWeb(source = `export * from ${JSON.stringify(INDEX)}`): Promise<string> {
  const result = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    conditions: ["@yagate/source"],
    logLevel: "silent",
  });
  return result.outputFiles.map((file) => file.text).join("\n");
}

async function importWebBuild(): Promise<Protocol> {
  const code = await bundleForWeb();
  return import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
}

/** The same public functions over `node:crypto` and over Web Crypto: rows for `describe.each`. */
export const builds: [name: string, protocol: Protocol][] = [
  ["the node build", nodeBuild],
  ["the web build", await importWebBuild()],
];
