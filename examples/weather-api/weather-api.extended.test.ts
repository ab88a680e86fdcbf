import { describe, expect, it } from "vitest";
import { runCommands } from "./run-commands.ts";

describe("the weather API example", () => {
  it("gives an agent the API with yagate commands only", { timeout: 120_000 }, async () => {
    const { outcomes, weatherKey } = await runCommands(() => {});
    expect(outcomes.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    const outputOf = (start: string) => outcomes.find(({ command }) => command.startsWith(start))?.output;
    expect(outputOf("yagate tools preview")).toContain("appid=***WEATHER_API_KEY***");
    expect(outputOf("yagate tools test")).toContain("light rain");
    expect(outputOf("yagate exec")).toContain("clear sky");
    expect(outcomes.map(({ output }) => output).join("\n")).not.toContain(weatherKey);
  });
});
