import { CONFIGURATIONS, connectHost } from "./host.ts";
import { setUp } from "./set-up.ts";

/** Executes the agent from a host, once with each configuration. @returns whether it went well. */
export async function run(print: (line: string) => void, words: string): Promise<boolean> {
  const desk = await setUp(process.env["EXAMPLE_MODEL"] ?? "scripted/keyword");
  const input = words === "" ? "What is 12 * 7.5?" : words;
  try {
    for (const file of CONFIGURATIONS) {
      const host = await connectHost(file, desk.environment);
      const { tools } = await host.listTools();
      print(`host     ${file}: ${tools.map(({ name }) => name).join(", ")}`);
      print(`host     asks price_desk: ${input}`);
      const { content, isError = false } = await host.callTool({ name: "price_desk", arguments: { input } });
      await host.close();
      print(`\nAnswer: ${content.map((block) => (block.type === "text" ? block.text : block.type)).join("")}\n`);
      if (isError) return false;
    }
    return true;
  } finally {
    await desk.stop();
  }
}
