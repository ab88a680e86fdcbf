import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { onKeys } from "../../src/gateway/live-log/key-commands.ts";

it("runs a command for each key, whatever its case, and restores the terminal", () => {
  const modes: boolean[] = [];
  const pressed: string[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const stop = onKeys(input, { r: () => pressed.push("r"), f: () => pressed.push("f") });
  input.emit("data", Buffer.from("rFx"));
  input.emit("data", "r");
  expect(pressed).toEqual(["r", "f", "r"]);
  stop();
  input.emit("data", "r");
  expect(pressed).toHaveLength(3);
  expect(modes).toEqual([true, false]);
});

it("turns Ctrl+C into SIGINT, which a terminal in raw mode does not send", async () => {
  const signalled = once(process, "SIGINT");
  const input = new PassThrough();
  const stop = onKeys(input, {});
  input.emit("data", "\u0003");
  await expect(signalled).resolves.toEqual(["SIGINT", 2]);
  stop();
});
