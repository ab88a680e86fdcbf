import type { BuiltinTool } from "../builtin-tool.ts";
import { PageError } from "../web/port.ts";
import { createUrlFetchTool } from "./url-fetch-tool.ts";

/**
 * The `url_fetch` tool of a gateway that cannot fetch pages. Agents may list it, but each call returns an error that
 * explains this.
 */
export const unconfiguredUrlFetch: BuiltinTool = {
  ...createUrlFetchTool({
    pages: {
      fetch: () =>
        Promise.reject(
          new PageError("NOT_CONFIGURED", "url_fetch is not configured: this gateway can't fetch pages", {
            hint: "continue without url_fetch; an operator must configure page fetching for it",
          }),
        ),
    },
    // The tool reads nothing, so its results need no frame.
    newNonce: () => "",
  }),
  isConfigured: false,
};
