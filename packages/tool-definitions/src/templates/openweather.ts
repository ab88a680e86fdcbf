import { type ApiTemplate, inQuery } from "./api-template.ts";

const place = [
  inQuery("lat", "number", "Latitude in degrees.", { required: true, schema: { minimum: -90, maximum: 90 } }),
  inQuery("lon", "number", "Longitude in degrees.", { required: true, schema: { minimum: -180, maximum: 180 } }),
  inQuery("units", "string", "Units of the response. Default: kelvin and m/s.", {
    schema: { enum: ["standard", "metric", "imperial"] },
  }),
  inQuery("lang", "string", "Language of descriptions, such as en or de."),
];

export const openweather: ApiTemplate = {
  id: "openweather",
  service: "OpenWeather",
  title: "Weather now and for five days",
  source: "https://openweathermap.org/current",
  credential: {
    auth: { type: "query_param", name: "appid" },
    hosts: ["api.openweathermap.org"],
    setup: "An API key of the account; a new key can take up to a few hours to work.",
  },
  settings: [],
  tools: [
    {
      name: "openweather.current_weather",
      description: "Reads the current weather at a place.",
      method: "GET",
      url: "https://api.openweathermap.org/data/2.5/weather",
      parameters: place,
    },
    {
      name: "openweather.forecast",
      description: "Forecasts the weather at a place for five days in steps of three hours.",
      method: "GET",
      url: "https://api.openweathermap.org/data/2.5/forecast",
      parameters: [...place, inQuery("cnt", "integer", "Number of steps.", { schema: { minimum: 1, maximum: 40 } })],
    },
  ],
};
