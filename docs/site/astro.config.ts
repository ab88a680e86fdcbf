import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import starlightLinksValidator from "starlight-links-validator";
import starlightOpenAPI, { openAPISidebarGroups } from "starlight-openapi";
import groups from "./src/sidebar.json" with { type: "json" };

export default defineConfig({
  // Where the site is published; sitemaps and canonical links need it.
  ...(process.env["DOCS_SITE_URL"] === undefined ? {} : { site: process.env["DOCS_SITE_URL"] }),
  // The pages contain no images to convert.
  image: { service: { entrypoint: "astro/assets/services/noop" } },
  integrations: [
    starlight({
      title: "Yagate",
      description: "LLM agents that use your own services, with signed webhooks.",
      pagefind: true,
      plugins: [
        starlightOpenAPI([
          { base: "api", schema: "./src/openapi.json", sidebar: { label: "HTTP API", collapsed: true } },
        ]),
        // Links to files are checked when the pages are written.
        starlightLinksValidator({ errorOnLocalLinks: false, exclude: ["/files/**", "/llms.txt"] }),
      ],
      sidebar: [
        { label: "Start", slug: "index" },
        ...groups.map(({ label, items }) => ({ label, items, collapsed: label !== "Learn" })),
        { label: "Error codes", collapsed: true, items: [{ autogenerate: { directory: "errors" } }] },
        ...openAPISidebarGroups,
      ],
    }),
  ],
});
