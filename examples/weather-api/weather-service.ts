import { createServer, type ServerResponse } from "node:http";

/** Stands in for a public weather API that expects its key in the query, as many do. */
const API_KEY = process.env["WEATHER_API_KEY"] ?? "";

const WEATHER: Readonly<Record<string, { readonly description: string; readonly temperature: number }>> = {
  london: { description: "light rain", temperature: 9.4 },
  lisbon: { description: "clear sky", temperature: 18.1 },
  tromso: { description: "snow", temperature: -6.3 },
};

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://service");
  if (pathname !== "/data/2.5/weather") return answer(response, 404, { message: "no such path" });
  if (searchParams.get("appid") !== API_KEY) return answer(response, 401, { message: "invalid API key" });
  const city = searchParams.get("q") ?? "";
  const found = WEATHER[city.toLowerCase()];
  if (found === undefined) return answer(response, 404, { message: "city not found" });
  const isImperial = searchParams.get("units") === "imperial";
  const temp = isImperial ? Math.round(found.temperature * 18 + 320) / 10 : found.temperature;
  answer(response, 200, { name: city, weather: [{ description: found.description }], main: { temp } });
});

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

server.listen(Number(process.env["PORT"] ?? 0), "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`listening on http://127.0.0.1:${address.port}`);
});
