import { type ApiTemplate, inQuery } from "./api-template.ts";

const variables = (name: string, description: string) =>
  inQuery(name, "array", description, { arrayFormat: "comma", schema: { items: { type: "string" } } });

export const openMeteo: ApiTemplate = {
  id: "open-meteo",
  service: "Open-Meteo",
  title: "Weather forecasts without a key",
  source: "https://open-meteo.com/en/docs",
  credential: null,
  settings: [],
  tools: [
    {
      name: "open_meteo.forecast",
      description: "Forecasts the weather for a place.",
      method: "GET",
      url: "https://api.open-meteo.com/v1/forecast",
      usageNotes:
        "List the variables that are needed, such as temperature_2m and precipitation (current, hourly), or temperature_2m_max (daily).",
      warnings: [{ severity: "info", message: "Without a key the API is for non-commercial use." }],
      parameters: [
        inQuery("latitude", "number", "Latitude in degrees.", {
          required: true,
          schema: { minimum: -90, maximum: 90 },
        }),
        inQuery("longitude", "number", "Longitude in degrees.", {
          required: true,
          schema: { minimum: -180, maximum: 180 },
        }),
        variables("current", "Variables for the current time."),
        variables("hourly", "Variables for each hour."),
        variables("daily", "Variables for each day; they require timezone."),
        inQuery("timezone", "string", "Time zone such as Europe/Berlin, or auto for the zone of the place."),
        inQuery("forecast_days", "integer", "Number of days, including today.", {
          schema: { minimum: 0, maximum: 16 },
        }),
      ],
    },
    {
      name: "open_meteo.find_place",
      description: "Finds places by name, with their coordinates and time zone.",
      method: "GET",
      url: "https://geocoding-api.open-meteo.com/v1/search",
      parameters: [
        inQuery("name", "string", "Name or postal code, at least two characters.", {
          required: true,
          schema: { minLength: 2 },
        }),
        inQuery("count", "integer", "Maximum number of results.", { schema: { minimum: 1, maximum: 100 } }),
        inQuery("language", "string", "Language of the names, such as en."),
      ],
    },
  ],
};
