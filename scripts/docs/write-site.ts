import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../repository-root.ts";
import { errorPages } from "./error-pages.ts";
import { rewriteLinks } from "./rewrite-links.ts";
import { toSidebar } from "./sidebar.ts";
import { parsePage, type SitePage, slugOf } from "./site-page.ts";

const SOURCES = [
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "docs/*.md",
  "docs/frameworks/*.md",
  "packages/*/README.md",
  "packages/protocol/vectors/README.md",
  "packages/bench/*/README.md",
  "examples/README.md",
  "examples/*/README.md",
];

/** What {@link writeSite} needs. */
export interface SiteOptions {
  /** The folder of the site's package. */
  readonly folder: string;
  /** The OpenAPI document of the gateway as JSON. */
  readonly openApi: string;
}

/**
 * Writes the content of the documentation site from the Markdown files and the code: pages, the sidebar, the OpenAPI
 * document, each page as Markdown, and `llms.txt`.
 *
 * @throws Error if a link leads nowhere, a page is not linked from the README, or an error code is not explained.
 */
export async function writeSite({ folder, openApi }: SiteOptions): Promise<readonly SitePage[]> {
  const content = join(folder, "src", "content", "docs");
  const open = join(folder, "public");
  for (const stale of [content, open]) await rm(stale, { recursive: true, force: true });

  const sources = globSync(SOURCES, { cwd: repositoryRoot }).map((path) => path.replaceAll("\\", "/"));
  const slugs = new Map(sources.map((source) => [source, slugOf(source)]));
  const files = new Set<string>();
  const addFile = (path: string) => {
    const isFile =
      !path.startsWith("..") && existsSync(join(repositoryRoot, path)) && statSync(join(repositoryRoot, path)).isFile();
    if (isFile) files.add(path);
    return isFile;
  };
  const written = sources.map((source) => {
    const text = readFileSync(join(repositoryRoot, source), "utf8");
    return parsePage(source, rewriteLinks(source, text, { slugs, addFile }));
  });
  const bodyOf = (slug: string) => written.find((page) => page.slug === slug)?.body ?? "";
  const pages = [...written, ...errorPages(bodyOf("errors"))];
  const sidebar = toSidebar(bodyOf(""), pages);

  for (const page of pages) {
    await writeText(join(content, `${page.slug || "index"}.md`), toContent(page));
    await writeText(join(open, `${page.slug || "index"}.md`), toMarkdown(page));
  }
  for (const path of files) {
    await mkdir(dirname(join(open, "files", path)), { recursive: true });
    await copyFile(join(repositoryRoot, path), join(open, "files", path));
  }
  await writeText(join(open, "llms.txt"), toLlmsText(sidebar, pages));
  await writeText(join(folder, "src", "sidebar.json"), JSON.stringify(sidebar));
  await writeText(join(folder, "src", "openapi.json"), openApi);
  return pages;
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** A page in the form that Starlight reads. */
function toContent({ title, description, body }: SitePage): string {
  return `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}\n`;
}

/** A page for programs, whose links lead to other pages of this form. */
function toMarkdown({ title, body }: SitePage): string {
  const text = body.replace(/\]\(\/(?!files\/)([^)#]*?)\/?(#[^)]*)?\)/g, (_link, slug: string, fragment = "") => {
    return `](/${slug === "" ? "index" : slug}.md${fragment})`;
  });
  return `# ${title}\n\n${text}\n`;
}

/** The index for language models: https://llmstxt.org. */
function toLlmsText(sidebar: ReturnType<typeof toSidebar>, pages: readonly SitePage[]): string {
  const bySlug = new Map(pages.map((page) => [page.slug, page]));
  const line = (slug: string) => {
    const page = bySlug.get(slug);
    return page === undefined ? [] : [`- [${page.title}](/${slug}.md): ${page.description}`];
  };
  const groups = sidebar.map(({ label, items }) => `## ${label}\n\n${items.flatMap(line).join("\n")}`);
  const errors = pages.filter(({ source }) => source === undefined).flatMap(({ slug }) => line(slug));
  const start = bySlug.get("");
  return [`# Yagate`, `> ${start?.description ?? ""}`, ...groups, `## Error codes\n\n${errors.join("\n")}`]
    .join("\n\n")
    .concat("\n");
}
