import { spawn } from "node:child_process";
import { YagateError } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import type { Invocation } from "../frame/invocation.ts";
import { consolePath } from "./console-path.ts";

/** The program of each system that opens a URL in the user's browser. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  linux: ["xdg-open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Prints the URL of a page of the console, and opens it on a terminal.
 *
 * @throws YagateError `NOT_CONFIGURED` without the URL of a gateway, `INVALID_REQUEST` for an id that no page shows.
 */
export async function openConsole(invocation: Invocation, id: string | undefined): Promise<void> {
  const path = consolePath(id);
  const base = await invocation.gatewayUrl();
  if (base === undefined || !URL.canParse(base)) {
    throw new YagateError("NOT_CONFIGURED", "expected the URL of the gateway", {
      hint: `export YAGATE_BASE_URL=…, or save it with ${commandName()} login`,
    });
  }
  const url = base.replace(/\/+$/, "") + path;
  invocation.output.result({ url }, () => url);
  if (!invocation.output.isJson && process.stdout.isTTY && invocation.terminal().isInteractive) openBrowser(url);
}

/** The printed URL is enough if no browser opens, as on a machine without a desktop. */
function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? [];
  if (program === undefined) return;
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
