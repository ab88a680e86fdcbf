import type { CallbackOutcome } from "../../mcp-oauth/sign-ins.ts";
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
export function signInPage(outcome: CallbackOutcome): RouteResponse {
  switch (outcome.kind) {
    case "code":
      return page(200, "Almost signed in", [
        "Enter this code where you started the sign-in:",
        `<strong>${outcome.code}</strong>`,
        "If you did not start a sign-in, close this page and do not give the code to anyone.",
      ]);
    case "expired":
      return page(400, "Not signed in", ["This sign-in has expired or was already used. Start again."]);
    case "failed":
      return page(400, "Not signed in", ["The sign-in failed. The gateway's log states the reason."]);
  }
}

function page(status: number, title: string, paragraphs: readonly string[]): RouteResponse {
  const text = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("\n");
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`;
  const html = `<!doctype html>\n<html lang="en"><head>${head}</head>\n<body><h1>${title}</h1>\n${text}\n</body></html>\n`;
  return { status, text: html, headers: HEADERS };
}
