import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { DEFAULT_INDEX_LIMITS } from "../../../../src/search/local/index/index-limits.ts";
import { createLocalIndex } from "../../../../src/search/local/index/local-index.ts";
import { DocumentError } from "../../../../src/web/port.ts";
import { figuresOf, makeFolder, openTestIndex, queryFor } from "../local-folder.ts";

const TWO = { "a.md": "# Apples\n\nred fruit", "b/c.md": "# Bananas\n\nyellow fruit" };

describe("a pass over the folder", () => {
  it("puts all documents into the index, and finds nothing to do the next time", async () => {
    const index = openTestIndex(makeFolder(TWO));
    expect(figuresOf(await index.refresh())).toEqual({ documents: 2, indexed: 2 });
    expect(index.urls("fruit")).toEqual(["local:///a.md", "local:///b/c.md"]);
    expect(figuresOf(await index.refresh())).toEqual({ documents: 2, unchanged: 2 });
  });

  it("finds what was added, changed and deleted", async () => {
    const folder = makeFolder(TWO);
    const index = openTestIndex(folder);
    await index.refresh();
    folder.write("d.md", "# Cherries\n\nfruit");
    folder.write("a.md", "# Apricots\n\norange fruit", new Date("2020-01-02"));
    folder.remove("b");
    expect(figuresOf(await index.refresh())).toEqual({ documents: 2, indexed: 2, removed: 1 });
    expect(index.urls("fruit").toSorted()).toEqual(["local:///a.md", "local:///d.md"]);
    expect(index.urls("apples bananas")).toEqual([]);
  });

  it("does not read a document again whose time alone has changed", async () => {
    const folder = makeFolder(TWO);
    const index = openTestIndex(folder);
    await index.refresh();
    utimesSync(folder.path("a.md"), new Date(), new Date("2021-01-01"));
    expect(figuresOf(await index.refresh())).toEqual({ documents: 2, unchanged: 2 });
  });

  it("finds a change of the same size within one step of the file system's clock", async () => {
    const folder = makeFolder();
    const now = new Date();
    folder.write("a.md", "alpha", now);
    const index = openTestIndex(folder);
    await index.refresh();
    folder.write("a.md", "gamma", now);
    expect(figuresOf(await index.refresh())).toEqual({ documents: 1, indexed: 1 });
    expect(index.urls("gamma")).toEqual(["local:///a.md"]);
  });

  it("finds a document that was moved, under its new place only", async () => {
    const folder = makeFolder(TWO);
    const index = openTestIndex(folder);
    await index.refresh();
    renameSync(folder.path("a.md"), folder.path("z.md"));
    expect(figuresOf(await index.refresh())).toEqual({ documents: 2, indexed: 1, unchanged: 1, removed: 1 });
    expect(index.urls("apples")).toEqual(["local:///z.md"]);
  });

  it("leaves out what is hidden, binary, too large, empty or no document, and says how much", async () => {
    const folder = makeFolder({
      "good.md": "good",
      ".hidden.md": "secret",
      ".git/config.md": "secret",
      "binary.txt": Buffer.from([1, 0, 2]),
      "large.txt": "x ".repeat(600),
      "empty.md": "\n",
      "program.exe": "MZ",
    });
    const index = openTestIndex(folder, { limits: { maxFileBytes: 1_000 } });
    const expected = { documents: 1, binary: 1, tooLarge: 1, empty: 1, unsupported: 1 };
    expect(figuresOf(await index.refresh())).toEqual({ ...expected, indexed: 1 });
    expect(index.urls("secret")).toEqual([]);
    expect(figuresOf(await index.refresh())).toEqual({ ...expected, unchanged: 1 });
  });

  it.each([
    [{ maxFiles: 2 }, { documents: 2, indexed: 2, pastLimits: 1 }],
    [{ maxTotalBytes: 10 }, { documents: 2, indexed: 2, pastLimits: 1 }],
  ])("stays within %j", async (limits, figures) => {
    const index = openTestIndex(makeFolder({ "a.md": "12345", "b.md": "12345", "c.md": "12345" }), { limits });
    expect(figuresOf(await index.refresh())).toEqual(figures);
  });

  it("follows no link out of the folder, and none to what it finds anyway", async () => {
    const folder = makeFolder({ "a.md": "inside" });
    writeFileSync(join(folder.base, "secret.md"), "secret outside");
    mkdirSync(join(folder.base, "other"));
    writeFileSync(join(folder.base, "other", "b.md"), "secret outside");
    symlinkSync(join(folder.base, "secret.md"), folder.path("link.md"));
    symlinkSync("../secret.md", folder.path("relative.md"));
    symlinkSync(join(folder.base, "other"), folder.path("folder"));
    symlinkSync("a.md", folder.path("same.md"));
    symlinkSync("loop.md", folder.path("loop.md"));
    const index = openTestIndex(folder);
    expect(figuresOf(await index.refresh())).toEqual({ documents: 1, indexed: 1, linksAndSpecial: 4, unsupported: 1 });
    expect(index.urls("secret")).toEqual([]);
  });

  it("follows no links to what is hidden by its name inside the folder", async () => {
    const folder = makeFolder({ ".env": "API_KEY=teapot", ".git/config.md": "teapot", "..data/.git/x.md": "teapot" });
    symlinkSync(".env", folder.path("env.txt"));
    symlinkSync(".git/config.md", folder.path("git.md"));
    symlinkSync("..data/.git/x.md", folder.path("data.md"));
    const index = openTestIndex(folder);
    expect(figuresOf(await index.refresh())).toEqual({ linksAndSpecial: 3 });
  });

  it("follows links to hidden places inside, as a mounted ConfigMap has them", async () => {
    const folder = makeFolder({ "..2024_05_01/guide.md": "mounted" });
    symlinkSync("..2024_05_01", folder.path("..data"));
    symlinkSync("..data/guide.md", folder.path("guide.md"));
    const index = openTestIndex(folder);
    await index.refresh();
    expect(index.urls("mounted")).toEqual(["local:///guide.md"]);
  });

  it("tries again what could not be read", async () => {
    let isBusy = true;
    const reader = {
      async read() {
        if (isBusy) throw new DocumentError("busy", "too many others");
        return { format: "html" as const, text: "read at last", links: [], warnings: [] };
      },
    };
    const index = openTestIndex(makeFolder({ "a.html": "<p>read at last" }), { reader });
    expect(figuresOf(await index.refresh())).toEqual({ unreadable: 1 });
    isBusy = false;
    expect(figuresOf(await index.refresh())).toEqual({ documents: 1, indexed: 1 });
  });

  it.skipIf(process.getuid?.() === 0)("takes nothing for deleted while a folder can't be read", async () => {
    const folder = makeFolder(TWO);
    const index = openTestIndex(folder);
    await index.refresh();
    chmodSync(folder.path("b"), 0);
    expect(figuresOf(await index.refresh())).toMatchObject({ unreadableFolders: 1 });
    chmodSync(folder.path("b"), 0o700);
    expect(index.urls("bananas")).toEqual(["local:///b/c.md"]);
  });

  it("keeps the index when the folder itself is gone", async () => {
    const folder = makeFolder(TWO);
    const index = openTestIndex(folder);
    await index.refresh();
    renameSync(folder.folder, `${folder.folder}-away`);
    await expect(index.refresh()).rejects.toMatchObject({ code: "ENOENT" });
    expect(index.urls("bananas")).toEqual(["local:///b/c.md"]);
  });
});

describe("an index's file", () => {
  it("is there after a restart, and needs no new pass", async () => {
    const folder = makeFolder(TWO);
    const first = openTestIndex(folder);
    await first.refresh();
    await first.close();
    const second = openTestIndex(folder);
    expect(second.notes).toEqual([]);
    expect(second.isNew).toBe(false);
    expect(second.urls("bananas")).toEqual(["local:///b/c.md"]);
  });

  it("is completed after a pass that ended in the middle", async () => {
    const documents = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`${index}.md`, `number${index} ${"text ".repeat(300)}`]),
    );
    const folder = makeFolder(documents);
    const first = openTestIndex(folder);
    const pass = first.refresh();
    await first.close();
    await expect(pass).rejects.toMatchObject({ name: "AbortError" });
    const second = openTestIndex(folder);
    expect(second.search(queryFor("number1"), 0).warnings).toMatchObject([{ code: "INDEX_INCOMPLETE" }]);
    const { indexed = 0, unchanged = 0 } = figuresOf(await second.refresh());
    expect(indexed + unchanged).toBe(300);
    expect(second.urls("number299")).toEqual(["local:///299.md"]);
    expect(second.search(queryFor("number1"), 0).warnings).toBeUndefined();
  });

  it("says how far the first pass is for as long as it goes on", async () => {
    const documents = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`${index}.md`, `# ${index}\n\n${"text ".repeat(1_000)}`]),
    );
    const index = openTestIndex(makeFolder(documents));
    const pass = index.refresh();
    const told: string[] = [];
    const watch = async () => {
      for (;;) {
        const [warning] = index.search(queryFor("text"), 0).warnings ?? [];
        if (warning === undefined) return;
        told.push(warning.message);
        await new Promise(setImmediate);
      }
    };
    await Promise.all([pass, watch()]);
    expect(told.join("\n")).toMatch(
      /still being indexed: [1-9]\d? of 100 files; files that are not yet indexed can't be found/,
    );
  });

  it("tells those that only read it, too, that it is not whole yet", async () => {
    const folder = makeFolder(TWO);
    const writer = openTestIndex(folder);
    const reader = openTestIndex(folder);
    expect(reader.search(queryFor("bananas"), 0).warnings).toMatchObject([{ code: "INDEX_INCOMPLETE" }]);
    await writer.refresh();
    expect(reader.search(queryFor("bananas"), 0)).toMatchObject({ hits: [{ url: "local:///b/c.md" }] });
    expect(reader.search(queryFor("bananas"), 0).warnings).toBeUndefined();
  });

  it.each<[string, "broken" | "outdated", (path: string) => void]>([
    ["is no database", "broken", (path) => writeFileSync(path, "not a database, but long enough to be looked at")],
    ["was cut off", "broken", (path) => truncateSync(path, 10_000)],
    [
      "was overwritten in the middle",
      "broken",
      (path) => {
        const bytes = readFileSync(path);
        bytes.fill(0xff, 4_096, 40_960);
        writeFileSync(path, bytes);
      },
    ],
    [
      "is of another version",
      "outdated",
      (path) => {
        const database = new DatabaseSync(path);
        database.exec("UPDATE meta SET value = '0'");
        database.close();
      },
    ],
    ["holds something else", "outdated", (path) => new DatabaseSync(path).exec("DROP TABLE meta")],
  ])("is made anew when it %s", async (_name, because, spoil) => {
    const folder = makeFolder(TWO);
    const first = openTestIndex(folder);
    await first.refresh();
    await first.close();
    spoil(folder.indexFile);
    const second = openTestIndex(folder);
    expect(second.notes).toEqual([{ note: "made", because }]);
    expect(figuresOf(await second.refresh())).toEqual({ documents: 2, indexed: 2 });
    expect(second.urls("bananas")).toEqual(["local:///b/c.md"]);
  });

  it("is made anew when documents can be read that could not be before", async () => {
    const folder = makeFolder({ "a.html": "<p>page" });
    const first = openTestIndex(folder);
    expect(figuresOf(await first.refresh())).toEqual({ unreadable: 1 });
    await first.close();
    const reader = { read: async () => ({ format: "html" as const, text: "page", links: [], warnings: [] }) };
    const second = openTestIndex(folder, { reader });
    expect(figuresOf(await second.refresh())).toEqual({ documents: 1, indexed: 1 });
  });

  it("has one writer; others search in it, and take over when the writer is gone", async () => {
    const folder = makeFolder(TWO);
    const writer = openTestIndex(folder);
    await writer.refresh();
    const other = openTestIndex(folder);
    expect(other.notes).toEqual([{ note: "elsewhere" }]);
    expect(other.urls("bananas")).toEqual(["local:///b/c.md"]);
    expect(await other.refresh()).toBeUndefined();
    folder.write("d.md", "dates");
    await writer.refresh();
    expect(other.urls("dates")).toEqual(["local:///d.md"]);
    await writer.close();
    folder.write("e.md", "elderberries");
    expect(figuresOf(await other.refresh())).toEqual({ documents: 4, indexed: 1, unchanged: 3 });
  });

  it("is for its owner alone", () => {
    const folder = makeFolder();
    const index = createLocalIndex({
      folder: folder.folder,
      indexFile: folder.indexFile,
      limits: DEFAULT_INDEX_LIMITS,
      tell: () => undefined,
    });
    expect(index.search(queryFor("x"), 0).hits).toEqual([]);
    const { mode } = statSync(folder.indexFile);
    expect(mode & 0o777).toBe(0o600);
    return index.close();
  });
});
