import { expect, it } from "vitest";
import { COMMANDS } from "../../src/commands/commands.ts";
import type { CommandSpec, OptionSpec } from "../../src/frame/command-spec.ts";
import { GLOBAL_OPTIONS } from "../../src/frame/global-options.ts";

interface CommandOption {
  readonly path: string;
  readonly option: OptionSpec;
}

function optionsOf(specs: readonly CommandSpec[], parent = ""): readonly CommandOption[] {
  return specs.flatMap(({ name, options = [], commands = [] }) => {
    const path = `${parent}${name}`;
    return [...options.map((option) => ({ path, option })), ...optionsOf(commands, `${path} `)];
  });
}

/** `--no-input` and `--input` set the same value. */
const namesOf = ({ flags }: OptionSpec) =>
  [...flags.matchAll(/(?<=^|[ ,])--?[a-z][a-z-]*/g)].map(([name]) => name.replace(/^--no-/, "--"));

// Both read the same words, so a handler's URL could become the URL of the gateway, which receives the API key.
it("no option of a command has the name of an option of every command", () => {
  const globals = new Set(GLOBAL_OPTIONS.flatMap(namesOf));
  expect(globals).toContain("--url");
  const options = optionsOf(COMMANDS);
  expect(options.length).toBeGreaterThan(50);
  const shadowing = options.filter(({ option }) => namesOf(option).some((name) => globals.has(name)));
  expect(shadowing.map(({ path, option }) => `${path}: ${option.flags}`)).toEqual([]);
});
