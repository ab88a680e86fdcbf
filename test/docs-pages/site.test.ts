import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ERROR_TABLE } from "@yagate/protocol";
import { expect, it } from "vitest";
import { rewriteLinks } from "../../scripts/docs/rewrite-links.ts";
import { writeSite } from "../../scripts/docs/write-site.ts";

it("the documentation site can be written: links lead to pages or files, and the README leads to each page", async () => {
  const folder = await mkdtemp(join(tmpdir(), "yagate-site-"));
  try {
    const pages = await writeSite({ folder, openApi: "{}" });
    expect(pages.length).toBeGreaterThan(Object.keys(ERROR_TABLE).length + 80);
    const text = await readFile(join(folder, "src/content/docs/approvals.md"), "utf8");
    expect(text).toMatch(/^---\ntitle: "Approvals"\n/);
    expect(text).not.toMatch(/\]\([\w./-]+\.md/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("a link that leads nowhere is an error, except in code", () => {
  const map = { slugs: new Map([["docs/a.md", "a"]]), addFile: (path: string) => path === "Dockerfile" };
  const rewritten = rewriteLinks(
    "docs/b.md",
    "[a](a.md#x) [d](../Dockerfile) `[c](c.md)` [w](https://example.com)",
    map,
  );
  expect(rewritten).toBe("[a](/a/#x) [d](/files/Dockerfile) `[c](c.md)` [w](https://example.com)");
  expect(() => rewriteLinks("docs/b.md", "[c](c.md)", map)).toThrow("docs/b.md: c.md is neither a page nor a file");
});
