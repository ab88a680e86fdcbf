import { commandName } from "../../command-name.ts";
import { type ConformanceCase, GROUPS, type Group, type Level } from "../conformance-case.ts";

const WIDTH = 100;

const LEVEL_MEANINGS: Readonly<Record<Level, string>> = {
  required: "a handler that fails is unsafe, or rejects or repeats genuine calls; the exit status is 1",
  recommended: "the handler kit passes; a handler that fails is still safe, and the exit status stays 0",
};

const GROUP_MEANINGS: Readonly<Record<Group, string>> = {
  genuine:
    "Calls as a gateway sends them, signed with the handler's secret over the exact bytes of the body; some are in rare but valid forms. The handler must run them and respond with 200 and a result or error.",
  forged:
    "Calls that were signed without the secret, or changed after signing. The handler must respond with a 4xx other than 408, 425 and 429, and run nothing; a 5xx is a failure, because a gateway sends such a call again.",
  age: "The signed body contains the time of signing, because otherwise a recorded call could be replayed forever. The handler must reject calls whose time differs from its clock by more than the tolerance (300 s) in either direction, and calls without a readable time.",
  once: "A gateway sends a call again when it received no response, and any intermediary can replay a call within the tolerance. All copies have the same toolCallId in their signed body. The tool must run only for the first copy; the others get its response.",
  bodies:
    "Bodies that no gateway sends: not JSON, too large, nested too deeply, compressed. The handler must reject them with a 4xx, without exhausting its memory, and continue to respond to other calls.",
  http: "Clients that are slow or disconnect, other methods and HTTP versions. The handler must continue to respond to other calls, and run nothing unless the method is POST.",
  answers:
    "What responses contain: their format and signature, codes that show a developer what is wrong, and nothing that helps an attacker.",
  describe:
    "With a describe request, a gateway asks a handler which tools it has. A handler need not respond with its tools: a handler that knows only calls rejects the request, because the signature covers another text. No describe request may run a tool, and a manifest must be signed.",
};

/** Explains one case completely, for readers who do not have the documentation. */
export function explainCase({ id, group, level, title, advice }: ConformanceCase): string {
  const anchor = GROUPS[group].toLowerCase().replaceAll(" ", "-");
  return [
    `${id}: the handler ${title}`,
    "",
    row("level", `${level}: ${LEVEL_MEANINGS[level]}`),
    row("group", `${GROUPS[group]}. ${GROUP_MEANINGS[group]}`),
    row("what to do", advice),
    row("try it alone", `${commandName()} conformance <url> --tool <name> --only ${id} --verbose`),
    row("see also", `docs/conformance-cases.md#${anchor} of the repository`),
  ].join("\n");
}

const LABEL_WIDTH = 14;

function row(label: string, text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + word.length < WIDTH - LABEL_WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.map((line, index) => `  ${(index === 0 ? label : "").padEnd(LABEL_WIDTH)}${line}`).join("\n");
}
