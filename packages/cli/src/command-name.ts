/** Returns the name of this command for commands that are printed for copying: npx does not add it to the PATH. */
export function commandName(): string {
  return process.env["npm_command"] === undefined ? "yagate" : "npx @yagate/cli";
}
