import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const completion: CommandSpec = {
  name: "completion",
  summary: "Print a script that completes commands and options in a shell",
  group: GROUPS.cli,
  arguments: [{ name: "<shell>", text: "bash, zsh or fish" }],
  examples: [
    'eval "$(yagate completion bash)"',
    "yagate completion zsh > _yagate",
    "yagate completion fish > yagate.fish",
  ],
  notes: [
    "In bash, add the first example to ~/.bashrc. In zsh, put the file into a folder of $fpath. In fish, put it into ~/.config/fish/completions.",
  ],
  output: { schema: "Completion" },
  run: async (given) => (await import("../help/completion.ts")).printCompletion(given.args[0] ?? "", given),
};
