/** How this command was started, for commands that are printed to be run: npx does not put it where a shell finds it. */
export function commandName(): string {
  return process.env["npm_command"] === undefined ? "yagate" : "npx @yagate/cli";
}
