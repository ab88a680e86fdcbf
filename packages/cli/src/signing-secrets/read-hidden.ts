import { YagateError } from "@yagate/protocol";

/** The part of a terminal that prompts need. */
export interface Terminal {
  /** Whether a user can respond to a prompt. */
  readonly isInteractive: boolean;
  readonly input: NodeJS.ReadableStream & { setRawMode?(isRaw: boolean): unknown };
  readonly output: NodeJS.WritableStream;
}

const ENTER = ["\r", "\n"];
const ERASE = ["\b", "\u007f"];
const INTERRUPT = "\u0003";
const END = "\u0004";

/** Returns this process's terminal. Prompts go to standard error, so that standard output contains only the result. */
export function processTerminal(): Terminal {
  return {
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    input: process.stdin,
    output: process.stderr,
  };
}

/**
 * Prompts for a text without showing it.
 *
 * @throws YagateError `CANCELLED` on Ctrl+C or Ctrl+D.
 */
export function readHidden(question: string, { input, output }: Terminal): Promise<string> {
  output.write(question);
  input.setRawMode?.(true);
  return new Promise((resolve, reject) => {
    let text = "";
    const end = (settle: () => void) => {
      input.off("data", onData);
      input.setRawMode?.(false);
      input.pause();
      output.write("\n");
      settle();
    };
    const onData = (data: Buffer | string) => {
      for (const character of data.toString()) {
        if (ENTER.includes(character)) return end(() => resolve(text));
        if (character === INTERRUPT || character === END) {
          return end(() => reject(new YagateError("CANCELLED", "no secret was entered", { hint: "start again" })));
        }
        text = ERASE.includes(character) ? text.slice(0, -1) : text + character;
      }
    };
    input.on("data", onData);
    input.resume();
  });
}
