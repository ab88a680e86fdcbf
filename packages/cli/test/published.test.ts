import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { outputSchemaText } from "../../../scripts/cli/output-schema.ts";
import { referencePage } from "../../../scripts/cli/reference-page.ts";
import { COMMANDS } from "../src/commands/commands.ts";
import type { CommandSpec } from "../src/frame/command-spec.ts";
import { pageOf } from "../src/help/page-of.ts";
import { outputSchema } from "../src/output-schema.ts";

const readPage = (name: string) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8");
const UPDATE = "run: NODE_OPTIONS=--conditions=@yagate/source npx node scripts/write-cli-pages.ts";

function all(
  specs: readonly CommandSpec[],
  parents: readonly string[] = [],
): readonly (readonly [string, CommandSpec])[] {
  return specs.flatMap((spec) => {
    const path = [...parents, spec.name];
    return [[path.join(" "), spec] as const, ...all(spec.commands ?? [], path)];
  });
}

/** The anchors that a renderer of Markdown gives to headings. */
function anchorsOf(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}

it("docs/cli-reference.md is what the program says", () => {
  expect(readPage("cli-reference"), UPDATE).toBe(referencePage());
});

it("schemas/output.json is what the program prints", () => {
  expect(outputSchema(), UPDATE).toBe(outputSchemaText());
});

it("the first five commands of the help are the commonest ones", () => {
  expect(COMMANDS.slice(0, 5).map(({ name }) => name)).toEqual(["dev", "agents", "exec", "executions", "tools"]);
});

it.each(all(COMMANDS))("yagate %s has a sentence, an example, a schema and a page", (path, spec) => {
  expect(spec.summary).toMatch(/^[A-Z][^\n.]+[^.]$/);
  expect(spec.examples.length).toBeGreaterThan(0);
  for (const example of spec.examples) expect(example).toContain("yagate ");
  const [page, anchor] = pageOf(spec, path.split(" "));
  expect(anchor === undefined ? [] : [anchor].filter((name) => !anchorsOf(readPage(page)).includes(name))).toEqual([]);
  if (spec.run === undefined) return;
  expect(JSON.parse(outputSchema()).$defs).toHaveProperty(spec.output?.schema ?? "none");
});
