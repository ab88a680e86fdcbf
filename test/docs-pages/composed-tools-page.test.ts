import { builtinTools } from "@yagate/builtins/builtin-tools";
import { composedToolSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { namesOfPrimitives } from "../../packages/gateway/src/tools/composed/target.ts";
import {
  COMPOSED_TOOL_CODES,
  COMPOSED_TOOL_WARNING_CODES,
} from "../../packages/tool-definitions/src/placeholders/composed-tool-code.ts";
import { blocksOfAllPages } from "../docs-blocks/doc-pages.ts";
import { tableRows } from "./page-tables.ts";

const GUIDE = "docs/composed-tools.md";
const REFERENCE = "docs/composed-tools-reference.md";

const column = (name: string, columns: readonly string[]) => tableRows(REFERENCE, columns).map((row) => row[name]);

describe(REFERENCE, () => {
  it("has every code of the checks", () => {
    expect(column("code", ["code", "expected"])).toEqual([...COMPOSED_TOOL_CODES]);
    expect(column("warning", ["warning", "meaning"])).toEqual([...COMPOSED_TOOL_WARNING_CODES]);
  });

  it("has every field that is required, and every primitive", () => {
    const missing = composedToolSchema.safeParse({}).error?.issues.map(({ path }) => path[0]);
    expect(column("field", ["field", "default", "meaning"])).toEqual(missing);
    const primitives = column("primitive", ["primitive", "arguments", "kind"]).slice(0, -1);
    expect([...primitives].sort()).toEqual([...namesOfPrimitives(builtinTools())].sort());
  });
});

describe(GUIDE, () => {
  it("shows a tool as the API takes it", () => {
    const [shown, ...others] = blocksOfAllPages().filter(({ page, language }) => page === GUIDE && language === "json");
    expect(others).toEqual([]);
    expect(() => composedToolSchema.parse(JSON.parse(shown?.text ?? ""))).not.toThrow();
  });
});
