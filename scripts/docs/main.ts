import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { CommandFailed } from "../command.ts";
import { buildSite, SITE } from "./build-site.ts";

const mode = process.argv[2] ?? "serve";
if (mode !== "serve" && mode !== "build") throw new Error(`expected serve or build, not ${mode}`);
console.log("building the documentation site; the first time, its packages are installed");
const pages = await buildSite().catch((error: unknown) => {
  if (!(error instanceof CommandFailed)) throw error;
  const lines = stripVTControlCharacters(error.output).split("\n");
  // One line for each page that was written says nothing about what is wrong.
  console.error(lines.filter((line) => !/[├└]─ \//.test(line)).join("\n"));
  process.exitCode = 1;
});
if (pages !== undefined) console.log(`built ${pages} pages into docs/site/dist`);
if (pages !== undefined && mode === "serve") {
  const astro = join(SITE, "node_modules", "astro", "bin", "astro.mjs");
  const server = spawn(process.execPath, [astro, "preview"], {
    ...{ cwd: SITE, stdio: "inherit" },
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" },
  });
  await once(server, "exit");
}
