import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { createNarrator } from "@yagate/example-stage/narrator";
import { printLine } from "@yagate/example-stage/print-line";
import { createGateway, providersFromEnvironment } from "@yagate/gateway";
import { describeAgent } from "./agent.ts";
import { startOrderService } from "./order-service.ts";

const DEFAULT_QUESTION = "Where is order ORD-12345, and what would express shipping to Berlin cost?";

const NEXT_QUESTION = "When will ORD-67890 arrive?";

/**
 * The first provider that has a key; otherwise the scripted model, which matches keywords and needs neither a key nor a
 * network.
 */
function chooseModel(providers: ReturnType<typeof providersFromEnvironment>): string {
  if (process.env["DEMO_MODEL"]) return process.env["DEMO_MODEL"];
  if (providers.openai?.apiKey) return "openai/gpt-5-mini";
  if (providers.anthropic?.apiKey) return "anthropic/claude-sonnet-4-20250514";
  if (providers.google?.apiKey) return "google/gemini-2.5-flash";
  return "scripted/keyword";
}

const question = process.argv.slice(2).join(" ").trim() || DEFAULT_QUESTION;
const providers = providersFromEnvironment(process.env);
const model = chooseModel(providers);
const dataDir = await mkdtemp(join(tmpdir(), "yagate-demo-"));
const apiKey = `yk_${randomBytes(32).toString("base64url")}`;

// 1. The gateway. Loopback is allowed because the tools of this demo live there.
const gateway = createGateway({ port: 0, dataDir, apiKey, providers, allowCidrs: ["127.0.0.0/8"] });
const { url } = await gateway.start();

// 2. The company's own service, which holds the signing secret.
const service = await startOrderService(await gateway.revealSigningSecret(), (line) => printLine(`service  ${line}`));

try {
  printLine(`\nYagate runs on ${url}, an Express service with two tools on ${service.url}.`);
  printLine(model.startsWith("scripted/") ? `No model key was found, so a scripted model matches keywords.\n` : "");

  // 3. The application: it describes the agent and asks it.
  const yagate = new Yagate({ baseUrl: url, apiKey });
  const agent = await yagate.agents.create({ ...describeAgent(service.url), model });
  printLine(`app      created the agent ${agent.id} (${model})`);
  printLine(`app      asks the question: ${question}`);

  const execution = await yagate.agents.execute(agent.id, {
    input: question,
    onEvent: createNarrator(printLine),
    onToolError(error) {
      if (error.toolName !== "shipping_quote") return undefined;
      const result = { price: 9.9, currency: "EUR", note: "from last week's price list" };
      printLine(`app      onToolError: ${error.code}; answers with ${JSON.stringify(result)}`);
      return { result };
    },
  });

  printLine(`\nAnswer: ${execution.output?.text ?? execution.error?.message ?? "none"}`);
  printLine(
    `(${execution.status}; ${execution.usage.toolCalls} tool calls, ${execution.toolCalls.length} in the record)`,
  );
  printLine(`\nNext: README.md shows how to write your own tool.`);
  printLine(`Try:  npm run demo -- "${NEXT_QUESTION}"`);
  if (execution.status !== "completed") process.exitCode = 1;
} finally {
  await service.stop();
  await gateway.stop();
  await rm(dataDir, { recursive: true, force: true });
}
