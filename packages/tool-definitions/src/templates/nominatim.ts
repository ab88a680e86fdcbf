import { type ApiTemplate, fixedHeader, fixedQuery, inQuery } from "./api-template.ts";

/** The usage policy requires a user agent with the name of the application. */
const fixed = [fixedQuery("format", "jsonv2"), fixedHeader("User-Agent", "yagate")];
const warnings = [{ severity: "warning", message: "At most one request per second; no bulk use." }] as const;

export const nominatim: ApiTemplate = {
  id: "nominatim",
  service: "Nominatim (OpenStreetMap)",
  title: "Addresses and coordinates without a key",
  source: "https://nominatim.org/release-docs/latest/api/Search/",
  credential: null,
  settings: [],
  tools: [
    {
      name: "nominatim.find_address",
      description: "Finds places by name or address, with their coordinates.",
      method: "GET",
      url: "https://nominatim.openstreetmap.org/search",
      warnings: [...warnings],
      parameters: [
        inQuery("q", "string", "Name or address.", { required: true }),
        inQuery("countrycodes", "array", "Returns only places in these countries, such as de or fr.", {
          arrayFormat: "comma",
          schema: { items: { type: "string", pattern: "^[a-z]{2}$" } },
        }),
        inQuery("limit", "integer", "Maximum number of results.", { schema: { minimum: 1, maximum: 40 } }),
        ...fixed,
      ],
    },
    {
      name: "nominatim.address_at",
      description: "Finds the address at the given coordinates.",
      method: "GET",
      url: "https://nominatim.openstreetmap.org/reverse",
      warnings: [...warnings],
      parameters: [
        inQuery("lat", "number", "Latitude in degrees.", { required: true, schema: { minimum: -90, maximum: 90 } }),
        inQuery("lon", "number", "Longitude in degrees.", { required: true, schema: { minimum: -180, maximum: 180 } }),
        ...fixed,
      ],
    },
  ],
};
