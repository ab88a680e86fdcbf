import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const login: CommandSpec = {
  name: "login",
  summary: "Save the URL of a gateway and an API key as a profile",
  group: GROUPS.cli,
  examples: [
    "yagate login --url http://127.0.0.1:4820 --api-key-file key.txt",
    "yagate login --profile staging --url https://agents.example.com < key.txt",
  ],
  notes: [
    "The URL comes from --url or YAGATE_BASE_URL. The API key comes from --api-key-file, from a prompt that does not show it, or from standard input. It is never an argument.",
    "The command tests the key first. If the gateway cannot be reached or rejects the key, nothing is saved.",
    "Profiles are stored in $XDG_CONFIG_HOME/yagate/profiles.json, by default in ~/.config. Only their owner can read the file (mode 0600, in a directory with mode 0700). A file that others can read is rejected.",
    "Every command uses the profile default unless --profile or YAGATE_PROFILE sets another one. The key of a profile is sent only to the URL of that profile.",
  ],
  statuses: { 0: "The profile was saved.", 4: "The gateway rejected the API key." },
  page: "cli#profiles",
  output: { schema: "Login" },
  run: async ({ open }) => (await import("../login/login.ts")).login(await open()),
};
