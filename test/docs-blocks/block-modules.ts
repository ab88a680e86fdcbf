import type { CodeBlock } from "./code-blocks.ts";

/** What a module is written for: its language, or pages, which have a document and nothing of Node. */
export type BlockKind = "ts" | "js" | "browser";

/** A block as a separate module. */
export interface BlockModule {
  readonly fileName: string;
  readonly kind: BlockKind;
  readonly text: string;
  /** How many lines at its beginning come from earlier blocks. */
  readonly linesBefore: number;
  readonly block: CodeBlock;
  readonly isRun: boolean;
  /** A test file, which a test runner runs. */
  readonly isTest: boolean;
}

const LANGUAGES = ["ts", "js"];
/** Imports what the reader generates: `test/api-document` compiles and runs such a client. */
const GENERATED = "generated";
const MARKS = ["run", "continues", "browser", "vitest", "jest", GENERATED];

/** The TypeScript and JavaScript blocks; one marked `continues` begins with the text of those that it continues. */
export function blockModules(blocks: readonly CodeBlock[]): readonly BlockModule[] {
  const modules: BlockModule[] = [];
  for (const block of blocks.filter(({ language }) => LANGUAGES.includes(language))) {
    const where = `${block.page}:${block.line}`;
    const unknown = block.marks.find((mark) => !MARKS.includes(mark));
    if (unknown !== undefined) throw new Error(`${where}: "${unknown}" is none of ${MARKS.join(", ")}`);
    if (block.marks.includes(GENERATED)) continue;
    const before = block.marks.includes("continues") ? continued(block, modules) : "";
    modules.push({
      kind: kindOf(block),
      fileName: `${block.page.replaceAll(/[^\w]+/g, "-")}-${block.line}.${block.language}`,
      text: before + block.text,
      linesBefore: before.split("\n").length - 1,
      block,
      isRun: block.marks.includes("run"),
      isTest: ["vitest", "jest"].some((mark) => block.marks.includes(mark)),
    });
  }
  return modules;
}

function kindOf({ language, marks }: CodeBlock): BlockKind {
  if (language === "js") return "js";
  return marks.includes("browser") ? "browser" : "ts";
}

function continued(block: CodeBlock, modules: readonly BlockModule[]): string {
  const last = modules.at(-1);
  if (last === undefined || last.block.page !== block.page || last.kind !== kindOf(block)) {
    throw new Error(`${block.page}:${block.line}: there is no ${kindOf(block)} block before it to continue`);
  }
  return last.text;
}
