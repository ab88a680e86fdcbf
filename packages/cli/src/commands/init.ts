import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const init: CommandSpec = {
  name: "init",
  summary: "Create a project with a tool, a test and a gateway for development",
  group: GROUPS.handlers,
  arguments: [{ name: "[dir]", text: "new or empty folder (default: the current one)" }],
  options: [
    { flags: "-t, --template <name>", text: "express, hono, fastify or nextjs (default: express)" },
    {
      flags: "--tarballs <folder>",
      text: "install the packages from the tarballs of npm pack in this folder, not from the registry",
    },
  ],
  examples: ["yagate init my-tools", "yagate init my-tools --template hono"],
  notes: [
    "The project is in TypeScript, which Node 22.19 and newer run without a build. Its file .env has an API key and a signing secret for this machine; Git ignores the file.",
    "npm run dev starts the gateway, npm start the service, and npm run ask executes the agent.",
  ],
  page: "new-project",
  output: { schema: "NewProject" },
  run: async ({ args: [dir = "."], open, options }) =>
    (await import("../init/init.ts")).init(await open(), dir, options),
};
