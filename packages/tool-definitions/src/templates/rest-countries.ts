import { type ApiTemplate, inPath, inQuery } from "./api-template.ts";

const fields = inQuery("fields", "array", "Returns only these fields, such as name, capital and currencies.", {
  arrayFormat: "comma",
  schema: { items: { type: "string" }, maxItems: 10 },
});

export const restCountries: ApiTemplate = {
  id: "rest-countries",
  service: "REST Countries",
  title: "Facts about countries without a key",
  source: "https://restcountries.com/",
  credential: null,
  settings: [],
  tools: [
    {
      name: "rest_countries.find_country",
      description: "Finds countries by name.",
      method: "GET",
      url: "https://restcountries.com/v3.1/name/{name}",
      parameters: [
        inPath("name", "Common or official name, or a part of it."),
        inQuery("full_text", "boolean", "Whether only the complete name matches.", { wireName: "fullText" }),
        fields,
      ],
    },
    {
      name: "rest_countries.get_country",
      description: "Reads the facts of one country.",
      method: "GET",
      url: "https://restcountries.com/v3.1/alpha/{code}",
      parameters: [inPath("code", "ISO 3166-1 code of two or three letters, or of three digits."), fields],
    },
  ],
};
