import { build } from "esbuild";

/** Bundles a page's module as an application's build would: for browsers, in one file. */
export async function bundlePage(entryPoint: string): Promise<string> {
  const { outputFiles, warnings } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["@yagate/source"],
    write: false,
    logLevel: "silent",
  });
  const [file] = outputFiles;
  if (file === undefined || warnings.length > 0) throw new Error("expected one bundle and no warnings");
  return file.text;
}
