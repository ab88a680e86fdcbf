import { VARIABLE_NAMES } from "@yagate/gateway";

/** Explained above the list. */
const NOT_LISTED = ["YAGATE_API_KEY", "YAGATE_MASTER_KEYS"];
const WIDTH = 110;

/** What else is read from the environment, for the help of the commands that start a gateway. */
export function variablesHelp(): string {
  const settings = VARIABLE_NAMES.settings.filter((name) => !NOT_LISTED.includes(name));
  const words = `${settings.join(", ")}, and the model providers' own variables: ${VARIABLE_NAMES.providerKeys.join(", ")}.`;
  return `\nAlso read, where no option says otherwise:\n${wrapped(words)}`;
}

function wrapped(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + word.length < WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}
