import { isLoopbackHost } from "@yagate/lib/hosts/loopback-host";
import { YagateError } from "@yagate/protocol";

/**
 * Parses the URL of a handler to which a signed call is sent. Without `allowRemote`, it must be on this machine.
 *
 * @param option - the option with the URL, such as `--to`.
 * @throws YagateError `INVALID_REQUEST` for an invalid URL, `FORBIDDEN` for another machine.
 */
export function handlerUrlOf(text: string | undefined, option: string, allowRemote = false): URL {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new YagateError("INVALID_REQUEST", `expected ${option} <url>, such as http://localhost:3000/tools`);
  }
  if (allowRemote || isLoopbackHost(url.hostname)) return url;
  throw new YagateError("FORBIDDEN", `${option}: ${url.hostname} is not this machine`, {
    hint: "the call really runs the tool: if that is intended there, add --allow-remote",
  });
}
