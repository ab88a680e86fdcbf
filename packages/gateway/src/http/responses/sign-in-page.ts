import type { LoginOutcome } from "../../tool-sources/source-logins.ts";
import type { RouteResponse } from "../route.ts";

/** No scripts, no styles, no frames and no requests: the page consists of the texts below. */
const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** Creates the page that ends a sign-in in the browser. It contains nothing from the request. */
export function signInPage(outcome: LoginOutcome): RouteResponse {
  switch (outcome.kind) {
    case "code":
      return page(200, "Almost signed in", [
        "Enter this code where you started the sign-in:",
        `<strong>${outcome.code}</strong>`,
        "If you did not start a sign-in, close this page and do not give the code to anyone.",
      ]);
    case "signed-in":
      return page(200, "Signed in", ["You are signed in. Close this page and return to the console."]);
    case "expired":
      return page(400, "Not signed in", ["This sign-in has expired or was already used. Start again."]);
    case "failed":
      return page(400, "Not signed in", ["The sign-in failed. The gateway's log states the reason."]);
  }
}

/**
 * Creates the page that repeats the request at once. The page is the gateway's own, so the browser then sends the
 * session's cookie.
 *
 * @param path - the path of the request, whose last segment the page links to.
 */
export function continuePage(path: string, query: Readonly<Record<string, string>>): RouteResponse {
  const segment = path.slice(path.lastIndexOf("/") + 1);
  // The URL differs from that of this page, so that the browser does not treat the request as a reload.
  const search = new URLSearchParams({ ...query, continued: "1" }).toString();
  // Encoded parameters contain no character of HTML except the ampersand.
  const url = `${segment}?${search.replaceAll("&", "&amp;")}`;
  return page(
    200,
    "Signing in",
    [`<a href="${url}">Continue</a>`],
    `<meta http-equiv="refresh" content="0; url=${url}">`,
  );
}

function page(status: number, title: string, paragraphs: readonly string[], refresh = ""): RouteResponse {
  const text = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("\n");
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width">${refresh}<title>${title}</title>`;
  const html = `<!doctype html>\n<html lang="en"><head>${head}</head>\n<body><h1>${title}</h1>\n${text}\n</body></html>\n`;
  return { status, text: html, headers: HEADERS };
}
