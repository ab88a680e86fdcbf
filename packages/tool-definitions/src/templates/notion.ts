import { type ApiTemplate, fixedHeader, inBody, inPath } from "./api-template.ts";

const version = fixedHeader("Notion-Version", "2025-09-03");
const paging = [
  inBody("page_size", "integer", "Results per page.", { schema: { minimum: 1, maximum: 100 } }),
  inBody("start_cursor", "string", "next_cursor from the previous page."),
];

export const notion: ApiTemplate = {
  id: "notion",
  service: "Notion",
  title: "Pages and data sources",
  source: "https://developers.notion.com/reference/intro",
  credential: {
    auth: { type: "bearer" },
    hosts: ["api.notion.com"],
    setup:
      "The token of an internal integration. It gives access only to the pages that are shared with the integration.",
  },
  settings: [],
  tools: [
    {
      name: "notion.search",
      description: "Finds pages and data sources by their title.",
      method: "POST",
      url: "https://api.notion.com/v1/search",
      sideEffect: "read_only",
      parameters: [
        inBody(
          "query",
          "string",
          "Words in the title. If omitted, returns everything that is shared with the integration.",
        ),
        inBody("filter", "object", "Returns only pages or only data sources.", {
          schema: {
            properties: { property: { const: "object" }, value: { enum: ["page", "data_source"] } },
            required: ["property", "value"],
          },
        }),
        ...paging,
        version,
      ],
    },
    {
      name: "notion.get_page",
      description: "Reads the properties of a page, not its content.",
      method: "GET",
      url: "https://api.notion.com/v1/pages/{page_id}",
      parameters: [inPath("page_id", "Id of the page."), version],
    },
    {
      name: "notion.query_data_source",
      description: "Lists the pages of a data source that match a filter.",
      method: "POST",
      url: "https://api.notion.com/v1/data_sources/{data_source_id}/query",
      sideEffect: "read_only",
      parameters: [
        inPath("data_source_id", "Id of the data source, from the result of a search."),
        inBody("filter", "object", "Conditions on properties."),
        inBody("sorts", "array", "Order of the pages.", { schema: { items: { type: "object" } } }),
        ...paging,
        version,
      ],
    },
    {
      name: "notion.append_blocks",
      description: "Adds content to the end of a page or block.",
      method: "PATCH",
      url: "https://api.notion.com/v1/blocks/{block_id}/children",
      sideEffect: "non_idempotent_write",
      parameters: [
        inPath("block_id", "Id of the page or block."),
        inBody("children", "array", "Block objects, at most 100.", {
          required: true,
          schema: { items: { type: "object" }, maxItems: 100 },
        }),
        version,
      ],
    },
  ],
};
