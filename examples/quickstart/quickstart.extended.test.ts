import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { LLMock } from "@copilotkit/aimock";
import { describe, expect, it, onTestFinished } from "vitest";

const DEMO = fileURLToPath(new URL("demo.ts", import.meta.url));
const LIMIT_MS = 15_000;

/** Runs the demo as `npm run demo` does, on a machine without a model key. */
function runDemo(...question: readonly string[]) {
  return runDemoWith({}, question);
}

async function runDemoWith(variables: Readonly<Record<string, string>>, question: readonly string[]) {
  const { PATH = "", NODE_OPTIONS = "" } = process.env;
  const child = spawn(process.execPath, [DEMO, ...question], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH, NODE_OPTIONS, ...variables },
    timeout: LIMIT_MS,
  });
  let output = "";
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    output += data.toString();
  });
  const [status] = await once(child, "close");
  return { status, output };
}

/** The parts that the output does not have, or not in this order. */
function missingParts(output: string, parts: readonly RegExp[]): readonly RegExp[] {
  let rest = output;
  return parts.filter((part) => {
    const found = part.exec(rest);
    if (found !== null) rest = rest.slice(found.index + found[0].length);
    return found === null;
  });
}

describe("the quickstart's demo", { timeout: LIMIT_MS }, () => {
  it("shows every step of a question in order, with a retry and a fallback", async () => {
    const { status, output } = await runDemo();
    const lookup = [
      /signs lookup_order, attempt 1, and sends it to http:/,
      /service +lookup_order\("ORD-12345"\), attempt 1: the signature is valid/,
      /lookup_order, attempt 1: DATABASE_BUSY after \d+ ms; tries again at/,
      /signs lookup_order, attempt 2/,
      /service +lookup_order\("ORD-12345"\), attempt 2: the signature is valid/,
      /lookup_order, attempt 2: HTTP 200/,
      /lookup_order is done/,
    ];
    const quote = [
      /signs shipping_quote, attempt 1/,
      /service +shipping_quote\("Berlin", "express"\): the signature is valid, but the carrier does not respond/,
      /shipping_quote, attempt 1: CARRIER_DOWN/,
      /onToolError: CARRIER_DOWN; answers with \{"price":9\.9/,
      /shipping_quote is done, with the fallback/,
    ];
    const frame = [
      /Yagate runs on http:\/\/127\.0\.0\.1:\d+, an Express service with two tools on http:/,
      /No model key was found, so a scripted model matches keywords\./,
      /created the agent agt_\w+ \(scripted\/keyword\)/,
      /asks the question: Where is order ORD-12345, and what would express shipping to Berlin cost\?/,
      /the execution is in the journal and starts/,
      /turn 1: the agent thinks/,
      /wants lookup_order\(\{"orderId":"ORD-12345"\}\)/,
      /wants shipping_quote\(\{"city":"Berlin","speed":"express"\}\)/,
      /turn 2: the agent thinks/,
      /the execution is complete \(final\)/,
      /Answer: .*shipped/,
      /price: 9\.9/,
      /\(completed; 2 tool calls, 2 in the record\)/,
      /Next: README\.md/,
      /\nTry: {2}npm run demo -- "When will ORD-67890 arrive\?"\n$/,
    ];
    expect(output).not.toContain("\u001b");
    // The two calls run at the same time: the lines of each are in order, but interleaved.
    for (const story of [lookup, quote, frame])
      expect({ missing: missingParts(output, story), output }).toEqual({ missing: [], output });
    expect(status).toBe(0);
  });

  it("has the colours of the live log if they are requested", async () => {
    const { output } = await runDemoWith({ FORCE_COLOR: "1" }, ["Where is order ORD-1?"]);
    expect(output).toContain("\u001b[2mgateway  \u001b[22m\u001b[31mlookup_order, attempt 1: DATABASE_BUSY");
  });

  it("answers another question, with another tool", async () => {
    const { status, output } = await runDemo("Where", "is", "order ORD-67890?");
    const story = [
      /asks the question: Where is order ORD-67890\?/,
      /wants lookup_order\(\{"orderId":"ORD-67890"\}\)/,
      /lookup_order, attempt 2: HTTP 200/,
      /Answer: .*being packed/,
    ];
    expect({ missing: missingParts(output, story), output }).toEqual({ missing: [], output });
    expect(output).not.toContain("shipping_quote(");
    expect(status).toBe(0);
  });

  it("answers a question that needs none of the company's tools", async () => {
    const { status, output } = await runDemo("What is 17 * 3?");
    expect({ missing: missingParts(output, [/wants calculator\(/, /Answer: .*51/]), output }).toEqual({
      missing: [],
      output,
    });
    expect(status).toBe(0);
  });

  it("reports that an order does not exist, and does not fail", async () => {
    const { status, output } = await runDemo("Where is order ORD-1?");
    const story = [/lookup_order, attempt 2: ORDER_NOT_FOUND/, /lookup_order .*(failed|asks)/, /Answer: /];
    expect({ missing: missingParts(output, story), output }).toEqual({ missing: [], output });
    expect(status).toBe(0);
  });

  it.each([
    ["OpenAI", { OPENAI_API_KEY: "sk-test" }, "OPENAI_BASE_URL", "openai/gpt-5-mini"],
    ["Anthropic", { ANTHROPIC_API_KEY: "sk-test" }, "ANTHROPIC_BASE_URL", "anthropic/claude-sonnet-4-20250514"],
    ["Google", { GOOGLE_GENERATIVE_AI_API_KEY: "key" }, "GOOGLE_GENERATIVE_AI_BASE_URL", "google/gemini-2.5-flash"],
  ])("asks %s when its key is set", async (_provider, key, baseUrlVariable, model) => {
    const mock = new LLMock({ port: 0 });
    onTestFinished(() => mock.stop());
    await mock.start();
    const call = { name: "lookup_order", arguments: JSON.stringify({ orderId: "ORD-67890" }) };
    mock.on({ userMessage: "Where is ORD-67890?", sequenceIndex: 0 }, { toolCalls: [call] });
    mock.on({ userMessage: "Where is ORD-67890?", sequenceIndex: 1 }, { content: "It is being packed." });
    const { status, output } = await runDemoWith({ ...key, [baseUrlVariable]: mock.url }, ["Where is ORD-67890?"]);
    const story = [
      new RegExp(`created the agent agt_\\w+ \\(${model}\\)`),
      /wants lookup_order\(\{"orderId":"ORD-67890"\}\)/,
      /lookup_order, attempt 2: HTTP 200/,
      /Answer: It is being packed\./,
    ];
    expect({ missing: missingParts(output, story), output }).toEqual({ missing: [], output });
    expect(output).not.toContain("No model key was found");
    expect(status).toBe(0);
  });

  it("sends nothing to a provider whose key is missing", async () => {
    const { status, output } = await runDemoWith({ OPENAI_BASE_URL: "http://127.0.0.1:1" }, ["What is 17 * 3?"]);
    expect(output).toContain("No model key was found");
    expect(status).toBe(0);
  });
});
