import { parseCases } from "@yagate/evals";
import { expect, it } from "vitest";
import { blocksOfAllPages } from "./doc-pages.ts";

const blocks = blocksOfAllPages().filter(({ language }) => language === "yaml");

it.each(blocks.map((block) => ({ ...block, name: `${block.page}:${block.line}` })))(
  "$name contains eval cases",
  ({ page, text }) => {
    expect(parseCases(text, page)).not.toEqual([]);
  },
);
