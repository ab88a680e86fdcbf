import { findProgram } from "./find-program.ts";
import { missingService } from "./missing-service.ts";

/**
 * The path of a Chromium for browser tests, or nothing where there is none: skip the test then. What to install has
 * been said.
 *
 * @throws Error in its place with `CI=true` in the environment.
 */
export function findChromium(): string | undefined {
  return findProgram(["chromium", "chromium-browser", "google-chrome"]) ?? missingService("chromium");
}
