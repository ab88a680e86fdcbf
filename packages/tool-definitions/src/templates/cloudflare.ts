import { type ApiTemplate, inBody, inPath, inQuery } from "./api-template.ts";

const zone = inPath("zone_id", "Id of the zone.");
const paging = [
  inQuery("per_page", "integer", "Results per page.", { schema: { minimum: 5, maximum: 50 } }),
  inQuery("page", "integer", "Page number, starting at 1.", { schema: { minimum: 1 } }),
];

export const cloudflare: ApiTemplate = {
  id: "cloudflare",
  service: "Cloudflare",
  title: "DNS records and cache of zones",
  source: "https://developers.cloudflare.com/api/",
  credential: {
    auth: { type: "bearer" },
    hosts: ["api.cloudflare.com"],
    setup: "An API token with Zone:Read, DNS:Edit and Cache Purge for the zones.",
  },
  settings: [{ parameter: "zone_id", description: "Id of a zone, to restrict the tools to this zone." }],
  tools: [
    {
      name: "cloudflare.list_zones",
      description: "Lists zones in the account.",
      method: "GET",
      url: "https://api.cloudflare.com/client/v4/zones",
      parameters: [inQuery("name", "string", "Returns only the zone of this domain."), ...paging],
    },
    {
      name: "cloudflare.list_dns_records",
      description: "Lists DNS records of a zone.",
      method: "GET",
      url: "https://api.cloudflare.com/client/v4/zones/{zone_id}/dns_records",
      parameters: [
        zone,
        inQuery("type", "string", "Returns only records of this type.", {
          schema: { enum: ["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA"] },
        }),
        inQuery("name", "string", "Returns only records with exactly this name.", { wireName: "name.exact" }),
        ...paging,
      ],
    },
    {
      name: "cloudflare.create_dns_record",
      description: "Adds a DNS record to a zone.",
      method: "POST",
      url: "https://api.cloudflare.com/client/v4/zones/{zone_id}/dns_records",
      sideEffect: "non_idempotent_write",
      parameters: [
        zone,
        inBody("type", "string", "Type of the record.", {
          required: true,
          schema: { enum: ["A", "AAAA", "CNAME", "TXT"] },
        }),
        inBody("name", "string", "Full name, such as www.example.com.", { required: true }),
        inBody("content", "string", "Address, name or text.", { required: true }),
        inBody("ttl", "integer", "Seconds; 1 means automatic.", {
          required: true,
          schema: { minimum: 1, maximum: 86_400 },
        }),
        inBody("proxied", "boolean", "Whether traffic passes through Cloudflare."),
      ],
    },
    {
      name: "cloudflare.purge_cache",
      description: "Removes URLs from the cache of a zone.",
      method: "POST",
      url: "https://api.cloudflare.com/client/v4/zones/{zone_id}/purge_cache",
      sideEffect: "idempotent_write",
      parameters: [
        zone,
        inBody("files", "array", "Full URLs.", {
          required: true,
          schema: { items: { type: "string" }, minItems: 1, maxItems: 30 },
        }),
      ],
    },
  ],
};
