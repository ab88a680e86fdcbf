import { defineConfig } from "@yagate/cli/config";

export default defineConfig({
  port: 4820,
  demo: false,
  sources: [{ name: "restaurant", kind: "handler", url: "http://localhost:3000/tools" }],
  agents: [
    {
      name: "Host",
      // Matches keywords and needs no key. With a provider's key, use a model such as openai/gpt-5-mini.
      model: "scripted/keyword",
      systemPrompt: "You take reservations.",
      tools: [{ source: "restaurant" }],
    },
  ],
});
