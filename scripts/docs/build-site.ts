import { join } from "node:path";
import { runCommand } from "../command.ts";
import { installOnce } from "../install-once.ts";
import { repositoryRoot } from "../repository-root.ts";
import { stepEnvironment } from "../step-environment.ts";
import { readOpenApi } from "./read-openapi.ts";
import { writeSite } from "./write-site.ts";

/** The folder of the documentation site, a package of its own. */
export const SITE = join(repositoryRoot, "docs", "site");

/**
 * Builds the documentation site into `docs/site/dist`.
 *
 * @returns the number of pages besides those of the HTTP API.
 * @throws Error if a link or an anchor leads nowhere, or a page is not linked from the README.
 */
export async function buildSite(): Promise<number> {
  await installOnce(SITE);
  const pages = await writeSite({ folder: SITE, openApi: await readOpenApi() });
  const astro = join(SITE, "node_modules", "astro", "bin", "astro.mjs");
  // Vite takes DEV, PROD and MODE from the environment, where vitest sets them.
  const { DEV: _dev, PROD: _prod, MODE: _mode, SSR: _ssr, ...environment } = stepEnvironment();
  const env = { ...environment, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
  await runCommand(process.execPath, [astro, "build"], { cwd: SITE, env });
  return pages.length;
}
