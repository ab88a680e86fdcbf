import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { installNode20 } from "../../../scripts/node20.ts";
import { MAIN } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";

const node20 = await installNode20();

it.skipIf(node20 === undefined)("on Node 20 the command says which Node it needs", async () => {
  const folder = await makeFolder();
  // As it is published: split at the dynamic import, dependencies left outside.
  await build({
    entryPoints: [MAIN],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "error",
  });
  const run = (command: string) => {
    const { status, stdout, stderr } = spawnSync(node20 ?? "", [command, "dev"], { encoding: "utf8", env: {} });
    return { status, stdout, stderr };
  };
  const refusal = (stderr: RegExp) => ({ status: 2, stdout: "", stderr: expect.stringMatching(stderr) });
  const plain =
    /^✕ \w+ {2}expected Node 22\.19 or newer; this is Node 20\.\d+\.\d+\nTry: npm install -D node@24 adds it /;
  expect(run(join(folder, "main.mjs"))).toEqual(refusal(plain));

  const bin = join(folder, "node_modules", ".bin");
  const linked = join(bin, "yagate");
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(folder, "main.mjs"), linked);
  expect(run(linked)).toEqual(refusal(plain));
  symlinkSync(process.execPath, join(bin, "node"));
  expect(run(linked)).toEqual(
    refusal(/ this is Node [\d.]+\nTry: npx @yagate\/cli uses the Node that npm installed\n$/),
  );
});
