import type { BuiltinTool } from "../builtin-tool.ts";
import { PageError } from "../web/port.ts";
import { createUrlFetchTool } from "./url-fetch-tool.ts";

/** The tool of a gateway that fetches no pages: agents may list it, and each call says so. */
export const unconfiguredUrlFetch: BuiltinTool = {
  ...createUrlFetchTool({
    pages: {
      fetch: () =>
        Promise.reject(
          new PageError("NOT_CONFIGURED", "url_fetch is not configured: this gateway has no way to fetch pages", {
            hint: "go on without url_fetch; an operator must configure a way to fetch pages for it",
          }),
        ),
    },
    // Nothing is ever read, so nothing is framed.
    newNonce: () => "",
  }),
  isConfigured: false,
};
