import { randomBytes } from "node:crypto";
import { generateSigningSecret } from "@yagate/protocol";
import { packageVersion } from "../package-version.ts";
import type { Template } from "./templates.ts";

/** Where npm installs packages; apart from the paths, because no built file may name a place of its build. */
const INSTALLED = "node_modules";
const CLI = `node --env-file=.env ${INSTALLED}/@yagate/cli/bin/yagate.js`;
/** The packages that the project uses, and those on which they depend. npm finds the latter only if they are listed. */
const USED = ["handler", "protocol"];
const FOR_DEVELOPMENT = ["cli", "client", "egress", "evals", "gateway"];

/**
 * Returns the files of a project that depend on its name and location. All others are copied from the template.
 *
 * @param tarballs - a folder with the packed packages; undefined for the registry.
 */
export function projectFiles(
  name: string,
  template: Template,
  tarballs: string | undefined,
): Readonly<Record<string, string>> {
  const version = packageVersion();
  const specifierOf = (short: string) =>
    tarballs === undefined ? version : `file:${tarballs}/yagate-${short}-${version}.tgz`;
  const own = (names: readonly string[]) =>
    Object.fromEntries(names.map((short) => [`@yagate/${short}`, specifierOf(short)]));
  const forDevelopment = tarballs === undefined ? ["cli"] : FOR_DEVELOPMENT;
  return {
    "package.json": json({
      ...{ name, private: true, type: "module", engines: { node: ">=22.19" } },
      scripts: {
        dev: `${CLI} dev`,
        start: template.start,
        ask: `${CLI} exec Host`,
        test: "node --test",
        check: "tsc --noEmit",
      },
      dependencies: sorted({ ...own(USED), zod: "4.6.7", ...template.dependencies }),
      devDependencies: sorted({
        ...own(forDevelopment),
        ...{ "@types/node": "24.19.2", typescript: "6.0.3" },
        ...template.devDependencies,
      }),
    }),
    "tsconfig.json": json({
      compilerOptions: {
        ...{ target: "es2024", module: "nodenext", types: ["node"], strict: true, noEmit: true, skipLibCheck: true },
        ...{ allowImportingTsExtensions: true, erasableSyntaxOnly: true, verbatimModuleSyntax: true },
        ...template.tsconfig,
      },
      exclude: [INSTALLED],
    }),
    ".gitignore": [INSTALLED, ".env", ".next", ".yagate", "next-env.d.ts", "*.tsbuildinfo", ""].join("\n"),
    ".env": [
      "# Keys for development on this machine. Never commit this file.",
      "YAGATE_BASE_URL=http://127.0.0.1:4820",
      `YAGATE_API_KEY=yk_${randomBytes(32).toString("hex")}`,
      `YAGATE_SIGNING_SECRET=${generateSigningSecret()}`,
      "",
    ].join("\n"),
    "README.md": readme(name),
  };
}

function readme(name: string): string {
  return `# ${name}

Tools for LLM agents, served to a Yagate gateway.

| command | purpose |
| --- | --- |
| \`npm run dev\` | the gateway, with the tools and the agent of \`yagate.config.ts\` |
| \`npm start\` | the service with the tools, in a second terminal |
| \`npm run ask -- 'Book a table for 4 guests at "19:30"'\` | executes the agent, in a third terminal |
| \`npm test\` | calls the tools without a gateway |
| \`npm run check\` | checks the types |

Write your own tools in \`tools.ts\`. Restart the service after a change: the gateway then reads the new definitions. The keys in \`.env\` are for this machine only.
`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function sorted(entries: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
