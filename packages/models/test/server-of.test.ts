import { expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";

it.each<[baseUrl: string | undefined, model: string, server: object]>([
  [undefined, "openai/gpt-5", { address: "api.openai.com", port: 443 }],
  ["http://models.internal/v1", "house/m", { address: "models.internal", port: 80 }],
  ["https://models.internal/v1", "house/m", { address: "models.internal", port: 443 }],
  ["http://models.internal:8080/v1", "house/m", { address: "models.internal", port: 8_080 }],
  ["http://[::1]:11434/v1", "house/m", { address: "::1", port: 11_434 }],
])("with the base URL %s, %s is a model of %o", async (baseUrl, model, server) => {
  const providers = baseUrl === undefined ? { openai: { apiKey: "k" } } : { house: { baseUrl } };
  expect(await createModels({ providers, fetch }).serverOf("ws_1", model)).toEqual(server);
});

it("a scripted model and an unknown provider have no server", async () => {
  const models = createModels({ providers: {}, fetch });
  expect(await models.serverOf("ws_1", "scripted/turns")).toBeUndefined();
  expect(await models.serverOf("ws_1", "house/m")).toBeUndefined();
});
