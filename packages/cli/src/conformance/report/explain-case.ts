import { type ConformanceCase, GROUPS, type Group, type Level } from "../conformance-case.ts";

const WIDTH = 100;

const LEVEL_MEANINGS: Readonly<Record<Level, string>> = {
  required: "a handler that fails is unsafe, or refuses or runs twice what a gateway sends; the exit status is 1",
  recommended: "the handler kit does it; a handler that fails is still safe, and the exit status stays 0",
};

const GROUP_MEANINGS: Readonly<Record<Group, string>> = {
  genuine:
    "Calls as a gateway sends them: signed with the handler's secret over the exact bytes of the body, some in rare forms that are allowed. The handler must run them and answer 200 with result or error.",
  forged:
    "Calls that were signed without the secret, or changed after signing. The handler must answer a 4xx other than 408, 425 and 429, and run nothing; a 5xx is a failure, because a gateway sends such a call again.",
  age: "The signed body holds the time of signing. A recorded call could be sent again forever. The handler must refuse calls whose time differs from its clock by more than the tolerance (300 s), in either direction, and calls without a readable time.",
  once: "A gateway sends a call again when it received no response, and anyone on the way can replay a call within the tolerance. All copies have the same toolCallId in their signed body: the tool runs for the first, and the others get its response.",
  bodies:
    "Bodies that no gateway sends: not JSON, too large, nested too deep, compressed. The handler must refuse them with a 4xx, without filling its memory, and go on answering other calls.",
  http: "Clients that are slow or disappear, other methods and versions of HTTP. The handler must go on answering other calls, and run nothing unless the method is POST.",
  answers:
    "What responses contain: their form and signature, the codes that tell a developer what is wrong, and nothing that helps an attacker.",
};

/** Everything about one case, for a reader who has no documentation at hand. */
export function explainCase({ id, group, level, title, advice }: ConformanceCase): string {
  const anchor = GROUPS[group].toLowerCase().replaceAll(" ", "-");
  return [
    `${id}: the handler ${title}`,
    "",
    row("level", `${level}: ${LEVEL_MEANINGS[level]}`),
    row("group", `${GROUPS[group]}. ${GROUP_MEANINGS[group]}`),
    row("what to do", advice),
    row("try it alone", `yagate conformance <url> --tool <name> --only ${id} --verbose`),
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
