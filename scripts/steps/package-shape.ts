import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedTool, runTool } from "../installed-tool.ts";
import { type PackedPackage, packPackages } from "../pack-packages.ts";
import type { Step } from "../run-steps.ts";

/** Runs publint and "are the types wrong" on the tarballs. */
export const packageShapeStep: Step = {
  name: "publint and attw",
  after: ["build"],
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "yagate-shape-"));
    try {
      const lines: string[] = [];
      for (const packed of await packPackages(folder)) lines.push(await check(packed));
      return lines;
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function check({ name, tarball, subpaths, hasCommonJs }: PackedPackage): Promise<string> {
  await runTool(installedTool("publint"), ["run", "--strict", tarball]);
  if (subpaths.every((subpath) => subpath === "./package.json")) return `  ${name}: publint; nothing to import`;
  // Node 10's resolution, which does not support `exports`, is left out, because every supported Node version does.
  const profile = hasCommonJs ? "node16" : "esm-only";
  await runTool(installedTool("@arethetypeswrong/cli", "attw"), [
    "--no-emoji",
    "--no-color",
    "--profile",
    profile,
    tarball,
  ]);
  return `  ${name}: publint, attw (${profile})`;
}
