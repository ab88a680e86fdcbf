import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createNarrator } from "./narrator.ts";
import { printLine } from "./print-line.ts";
import { setStage } from "./set-stage.ts";
import { FRAMEWORKS, type Framework, type Story } from "./story.ts";

const examples = new URL("../", import.meta.url);
const names = (await readdir(examples)).filter(
  (name) => !["quickstart", "stage"].includes(name) && !name.includes("."),
);
const [name = "", framework = "express", ...words] = process.argv.slice(2);

if (!names.includes(name)) usage();
if (runsAlone(name)) {
  const { run }: { run: Run } = await import(ownRun(name).href);
  const question = process.argv.slice(3).join(" ").trim();
  process.exit((await run(printLine, question)) ? 0 : 1);
}
if (!isFramework(framework)) usage();

const { story }: { story: Story } = await import(new URL(`${name}/story.ts`, examples).href);
const model = process.env["EXAMPLE_MODEL"] ?? "scripted/keyword";
const stage = await setStage(story, { framework, model, say: (line) => printLine(`service  ${line}`) });
try {
  const input = words.join(" ").trim() || story.question;
  printLine(`app      asks the question: ${input}`);
  const execution = await stage.yagate.agents.execute(stage.agentId, {
    input,
    ...(story.caller === undefined ? {} : { caller: story.caller }),
    onEvent: createNarrator(printLine),
  });
  printLine(`\nAnswer: ${execution.output?.text ?? execution.error?.message ?? "none"}`);
  printLine(`\n${await stage.surroundings.describe()}`);
  if (execution.status !== "completed") process.exitCode = 1;
} finally {
  await stage.stop();
}

function usage(): never {
  console.error(`usage: npm run example -- <${names.join("|")}> [${FRAMEWORKS.join("|")}] [question]`);
  console.error("the quickstart is `npm run demo`");
  process.exit(2);
}

/** Checks whether an example has its own program, because it has no service. */
function runsAlone(example: string): boolean {
  return existsSync(ownRun(example));
}

function ownRun(example: string): URL {
  return new URL(`${example}/run.ts`, examples);
}

type Run = (print: (line: string) => void, words: string) => Promise<boolean>;

function isFramework(text: string): text is Framework {
  return FRAMEWORKS.some((framework) => framework === text);
}
