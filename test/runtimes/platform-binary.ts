import { existsSync } from "node:fs";
import { join } from "node:path";

/** The packages that bring a runtime, by `process.platform` and `process.arch`. */
export type BinaryPackages = Readonly<Record<string, string>>;

/** A runtime's program, or why it can't run on this machine. */
export type PlatformBinary = { readonly path: string } | { readonly missing: string };

const platform = `${process.platform}-${process.arch}`;

/**
 * Finds the program that npm has installed for this platform, without the install scripts that would look elsewhere.
 *
 * @param file - its path inside the package, without the `.exe` of Windows.
 * @throws when npm has a package for this platform that is not installed.
 */
export function platformBinary(packages: BinaryPackages, file: string): PlatformBinary {
  const name = packages[platform];
  if (name === undefined) return { missing: `npm has no program for ${platform}` };
  if (isMusl()) return { missing: "the program needs glibc" };
  const path = join(import.meta.dirname, "node_modules", name, process.platform === "win32" ? `${file}.exe` : file);
  if (!existsSync(path)) throw new Error(`${name} is not installed: run "npm ci --ignore-scripts" in test/runtimes`);
  return { path };
}

function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const report: unknown = process.report.getReport();
  return !JSON.stringify(report).includes("glibcVersionRuntime");
}
