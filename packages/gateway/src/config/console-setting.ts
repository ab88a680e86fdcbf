import { isIP } from "node:net";
import { isLoopbackHost } from "@yagate/lib/hosts/loopback-host";
import type { FieldError } from "@yagate/protocol";

interface ConsoleSettings {
  readonly console: "on" | "off" | "auto";
  readonly host: string;
  readonly publicUrl?: string | undefined;
}

/** Whether a gateway listens only on this machine. */
export function isLocalOnly(host: string): boolean {
  return isLoopbackHost(new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}`).hostname);
}

/** Whether the gateway serves the console. */
export function servesConsole(settings: ConsoleSettings): boolean {
  return settings.console === "on" || (settings.console === "auto" && isSafe(settings));
}

/** Returns the problem of a console to which browsers could not sign in safely. */
export function consoleProblems(settings: ConsoleSettings): readonly FieldError[] {
  if (settings.console !== "on" || isSafe(settings)) return [];
  const message =
    "expected off, or YAGATE_PUBLIC_URL with https: elsewhere than on this machine, sign-ins to the console need https";
  return [{ path: "console", code: "CUSTOM", message }];
}

/** Cookies are safe on https. On http, they are only on this machine, where no one else can read them on their way. */
function isSafe({ host, publicUrl }: ConsoleSettings): boolean {
  if (publicUrl === undefined) return isLocalOnly(host);
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopbackHost(hostname);
}
