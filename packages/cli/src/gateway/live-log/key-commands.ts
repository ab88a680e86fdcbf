const INTERRUPT = "\u0003";

/** The part of standard input that reads single keys. */
export type KeyInput = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

/**
 * Runs a command for each key that the user presses. Ctrl+C sends SIGINT to this process, because a terminal in raw
 * mode does not.
 *
 * @returns stops the reading and restores the terminal.
 */
export function onKeys(input: KeyInput, commands: Readonly<Record<string, () => void>>): () => void {
  const onData = (data: Buffer | string) => {
    for (const key of data.toString()) {
      if (key === INTERRUPT) process.kill(process.pid, "SIGINT");
      else commands[key.toLowerCase()]?.();
    }
  };
  input.setRawMode?.(true);
  input.on("data", onData);
  input.resume();
  return () => {
    input.off("data", onData);
    input.setRawMode?.(false);
    input.pause();
  };
}
