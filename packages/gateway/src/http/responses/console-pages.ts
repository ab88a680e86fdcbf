import type { IncomingMessage, ServerResponse } from "node:http";
import type { ConsoleFile, ConsoleFiles } from "../../console/console-files.ts";

/** The path of the console. */
export const CONSOLE_PATH = "/console";

/**
 * Scripts, styles and requests only of the own origin; no inline code, no frames. Scripts cannot turn text into HTML
 * (Trusted Types), so no text of a tool or a model ever becomes code.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Yagate</title></head>
<body><h1>The console was not built</h1><p>Run <code>npm run build</code> and reload this page.</p></body></html>
`;

/** The response to a request for a page or a file of the console. */
export interface ConsoleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** The pages of the console. */
export interface ConsolePages {
  /** Returns the response to a path that starts with the console's path; undefined if there is no such file. */
  respond(request: Pick<IncomingMessage, "headers">, path: string): Promise<ConsoleResponse | undefined>;
}

/** @param read - reads the files, which happens at the first request. */
export function createConsolePages(read: () => Promise<ConsoleFiles>): ConsolePages {
  let files: Promise<ConsoleFiles> | undefined;
  return {
    async respond({ headers }, path) {
      // A relative target, because a proxy may serve the gateway at another path.
      if (path === CONSOLE_PATH) return { status: 308, headers: { ...HEADERS, Location: "console/" }, body: "" };
      files ??= read();
      const { shell, assets } = await files;
      const [, asset] = /\/assets\/([^/]+)$/.exec(path) ?? [];
      const file = asset === undefined ? undefined : assets.get(asset);
      const encodings = String(headers["accept-encoding"] ?? "");
      if (file !== undefined) return toResponse(file, encodings, "public, max-age=31536000, immutable");
      if (/\.[^/]*$/.test(path)) return undefined;
      if (shell !== undefined) return toShell(shell, path);
      files = undefined;
      const type = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
      return { status: 503, headers: { ...HEADERS, ...type }, body: NOT_BUILT };
    },
  };
}

/**
 * Writes the address of the console into the page, relative to the address of the page. The links of the page then work
 * at every path at which a proxy may serve the gateway.
 */
function toShell({ type, plain }: ConsoleFile, path: string): ConsoleResponse {
  const depth = path.slice(`${CONSOLE_PATH}/`.length).split("/").length - 1;
  const base = depth === 0 ? "./" : "../".repeat(depth);
  const body = plain.toString("utf8").replace("<head>", () => `<head><base href="${base}">`);
  return { status: 200, headers: { ...HEADERS, "Content-Type": type, "Cache-Control": "no-store" }, body };
}

function toResponse(file: ConsoleFile, accepted: string, cacheControl: string): ConsoleResponse {
  const headers = { ...HEADERS, "Content-Type": file.type, "Cache-Control": cacheControl, Vary: "Accept-Encoding" };
  if (file.br !== undefined && accepts(accepted, "br")) {
    return { status: 200, headers: { ...headers, "Content-Encoding": "br" }, body: file.br };
  }
  if (file.gzip !== undefined && accepts(accepted, "gzip")) {
    return { status: 200, headers: { ...headers, "Content-Encoding": "gzip" }, body: file.gzip };
  }
  return { status: 200, headers, body: file.plain };
}

function accepts(header: string, encoding: string): boolean {
  return header.split(",").some((part) => {
    const [name = "", quality = ""] = part.trim().split(/\s*;\s*/);
    return name.toLowerCase() === encoding && !/^q=0(\.0*)?$/.test(quality);
  });
}

/** Sends a response; only its headers if the request is a `HEAD`. */
export function sendConsoleResponse(
  { method }: Pick<IncomingMessage, "method">,
  response: ServerResponse,
  { status, headers, body }: ConsoleResponse,
): void {
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) });
  response.end(method === "HEAD" ? undefined : body);
}
