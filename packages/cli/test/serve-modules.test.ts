import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import * as z from "zod";
import { KEYS, startCommand } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";

/** Prints what is loaded when the gateway prints that it listens. */
const TRACE = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  const urls = [];
  registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
  const { log } = console;
  console.log = (text) => {
    if (text.includes('"listening"')) console.error("LOADED " + JSON.stringify({ urls, internals: process.moduleLoadList }));
    log(text);
  };
`)}`;

const loadedSchema = z.object({ urls: z.array(z.string()), internals: z.array(z.string()) });

/** Ceilings for the files of libraries, and for those of the gateway and the command line, whose sources are not bundled. */
const FOREIGN = { files: 510, kilobytes: 3_000 };
const OWN = { files: 1_175, kilobytes: 4_005 };

/** Libraries and parts of the gateway that a start must not load, because most gateways never use them. */
const UNUSED: Readonly<Record<string, RegExp>> = {
  "the driver of PostgreSQL": /\/node_modules\/pg|\/store\/src\/postgres[/.]/,
  "an SDK of a model provider": /\/node_modules\/@ai-sdk\/(?!provider\/)/,
  "an SDK of OpenTelemetry": /\/node_modules\/@opentelemetry\/(?!api\/)/,
  "the search": /\/builtins\/src\/search\/(?:local|evidence)\/|create-search|\/node_modules\/(?:tldts|snowball)/,
  "a reader of pages": /\/node_modules\/(?:@mozilla|linkedom|htmlparser2|unpdf|feedsmith|csv-parse)\//,
  "the units of the calculator": /\/node_modules\/convert\//,
  // The meta-schemas of ajv are data.
  "the OpenAPI import": /\/node_modules\/(?:yaml|@seriousme|ajv)\/(?!dist\/refs\/)/,
  "the API document": /\/http\/openapi\/(?!tags)/,
  "parts of undici other than its client": /\/node_modules\/undici\/(?:index|lib\/(?:web|mock|cache|interceptor)\/)/,
};

// Each file takes as long to find, read and compile as many lines of code, and it does so at each start. A commit that
// needs more raises a ceiling.
it("until it listens, yagate serve loads few files, and nothing that most gateways never use", {
  timeout: 60_000,
}, async () => {
  const env = { ...KEYS, YAGATE_ALLOW_WEAK_KEYS: "true", YAGATE_PORT: "0", YAGATE_LOG_LEVEL: "silent" };
  const { NODE_OPTIONS = "" } = process.env;
  const command = startCommand(["serve", "--json"], {
    env: { ...env, NODE_OPTIONS: `${NODE_OPTIONS} --import="${TRACE}"` },
    cwd: await makeFolder(),
  });
  const [, json = ""] = await command.until(/^LOADED (.+)\n/m);
  expect(await command.stop("SIGTERM")).toBe(0);
  const { urls, internals } = loadedSchema.parse(JSON.parse(json));
  const files = urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
  const [foreign = [], own = []] = [true, false].map((is) =>
    files.filter((path) => path.includes("/node_modules/") === is),
  );

  expect.soft(foreign.length).toBeLessThanOrEqual(FOREIGN.files);
  expect.soft(kilobytes(foreign)).toBeLessThanOrEqual(FOREIGN.kilobytes);
  expect.soft(own.length).toBeLessThanOrEqual(OWN.files);
  expect.soft(kilobytes(own)).toBeLessThanOrEqual(OWN.kilobytes);
  for (const [name, pattern] of Object.entries(UNUSED)) {
    expect
      .soft(
        files.filter((path) => pattern.test(path)),
        name,
      )
      .toEqual([]);
  }
  // Node's own fetch is loaded by an `import` of node:http anywhere.
  expect.soft(internals).toContain("NativeModule http");
  expect.soft(internals).not.toContain("NativeModule internal/deps/undici/undici");
});

function kilobytes(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1_000;
}
