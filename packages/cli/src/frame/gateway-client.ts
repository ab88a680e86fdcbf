import { type FetchLike, Yagate } from "@yagate/client";
import { YagateError } from "@yagate/protocol";
import type { Connection } from "./profiles/connection.ts";

/**
 * Creates a client for a gateway.
 *
 * @param isDebug - whether to print each request to standard error: method, path, status and duration, never a header
 *   or a body.
 * @throws YagateError `INVALID_REQUEST` with the name of the invalid option, variable or profile.
 */
export function gatewayClient({ url, apiKey }: Connection, isDebug: boolean): Yagate {
  try {
    const fetch = isDebug ? { fetch: tracedFetch } : {};
    return new Yagate({ baseUrl: url.value, apiKey: apiKey.value, ...fetch });
  } catch (cause) {
    if (!YagateError.is(cause)) throw cause;
    const message = cause.message.replaceAll("baseUrl", url.source).replaceAll("apiKey", keyName(apiKey.source));
    throw new YagateError(cause.code, message, { hint: "correct it and run the command again", cause });
  }
}

function keyName(source: string): string {
  return source === "YAGATE_API_KEY" ? source : `the API key of ${source}`;
}

const tracedFetch: FetchLike = async (url, init) => {
  const startedAt = performance.now();
  const { host, pathname, search } = new URL(url);
  const tell = (outcome: string) =>
    console.error(
      `debug: ${init.method ?? "GET"} ${host}${pathname}${search}: ${outcome}, ${Math.round(performance.now() - startedAt)} ms`,
    );
  try {
    const response = await fetch(url, init);
    tell(`${response.status}, request ${response.headers.get("x-request-id") ?? "without an id"}`);
    return response;
  } catch (error) {
    tell("no response");
    throw error;
  }
};
