import { type Browser, chromium } from "playwright-core";

/** Starts a Chromium without a window. */
export async function launchChromium(executablePath: string | undefined): Promise<Browser> {
  if (executablePath === undefined) throw new Error("expected a Chromium");
  // Its sandbox needs rights that containers do not give, and refuses to run as root.
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
