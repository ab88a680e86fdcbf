import { existsSync, globSync } from "node:fs";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { YagateError } from "@yagate/protocol";
import { docsUrl } from "../frame/docs-url.ts";
import type { Invocation } from "../frame/invocation.ts";
import { packageVersion } from "../package-version.ts";
import { templateFolder } from "../template-folder.ts";
import { shellWord } from "../text/shell-word.ts";
import { projectFiles } from "./project-files.ts";
import { DEFAULT_TEMPLATE, TEMPLATES } from "./templates.ts";

const UNPUBLISHED =
  "npm install fails with E404 if these packages are not in your registry. In that case, pack them and create the project with --tarballs <folder>:";

export interface InitOptions {
  readonly template?: string;
  /** A folder with the packed packages, for a version that is not in the registry. */
  readonly tarballs?: string;
}

/**
 * Creates a project with one tool, a test and the configuration of a gateway for development.
 *
 * @throws YagateError `INVALID_REQUEST` for an unknown template, or a folder without the tarballs; `CONFLICT` if the
 *   folder is not empty. Nothing was written in these cases.
 */
export async function init(
  { output }: Invocation,
  directory: string,
  { template: asked = DEFAULT_TEMPLATE, tarballs }: InitOptions,
): Promise<void> {
  const template = Object.hasOwn(TEMPLATES, asked) ? TEMPLATES[asked] : undefined;
  if (template === undefined) {
    throw new YagateError("INVALID_REQUEST", `expected --template to be one of ${Object.keys(TEMPLATES).join(", ")}`);
  }
  const packed = tarballs === undefined ? undefined : packedFolder(tarballs);
  const folder = resolve(directory);
  await assertEmpty(folder);
  await mkdir(folder, { recursive: true });
  const written = projectFiles(nameOf(folder), template, packed);
  const copied = [...filesOf("shared"), ...filesOf(asked)];
  for (const { file, path } of copied) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await copyFile(file, join(folder, path));
  }
  for (const [path, text] of Object.entries(written)) {
    await writeFile(join(folder, path), text, { mode: path === ".env" ? 0o600 : 0o644 });
  }
  const files = [...copied.map(({ path }) => path), ...Object.keys(written)].toSorted();
  const there = relative(process.cwd(), folder);
  const next = [
    `${there === "" ? "" : `cd ${shellWord(there)} && `}npm install && npm test`,
    "npm run dev",
    "npm start",
    `npm run ask -- 'Book a table for 4 guests at "19:30"'`,
  ];
  output.done({ folder, template: asked, files, next }, `${folder} has a new project for ${asked}.`);
  const [install = "", dev = "", start = "", ask = ""] = next;
  output.note(
    [`Next:  ${install}`, `Then:  ${dev}`, `       ${start}   (second terminal)`, `       ${ask}   (third)`].join("\n"),
  );
  if (packed === undefined) output.note(`${UNPUBLISHED} ${docsUrl("new-project")}`);
}

/** Returns the files of a template, with their paths in the project. */
function filesOf(name: string): readonly { readonly file: string; readonly path: string }[] {
  const folder = join(templateFolder(), name);
  return globSync("**/*", { cwd: folder, withFileTypes: true }).flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    return entry.isFile() ? [{ file, path: relative(folder, file) }] : [];
  });
}

async function assertEmpty(folder: string): Promise<void> {
  const present = existsSync(folder) ? await readdir(folder).catch(() => ["a file"]) : [];
  if (present.every((name) => name === ".git")) return;
  throw new YagateError("CONFLICT", `expected ${folder} to be empty or missing`, {
    hint: "name a new folder; nothing was written",
  });
}

function packedFolder(tarballs: string): string {
  const folder = resolve(tarballs);
  if (existsSync(join(folder, `yagate-cli-${packageVersion()}.tgz`))) return folder;
  throw new YagateError("INVALID_REQUEST", `--tarballs: expected yagate-cli-${packageVersion()}.tgz in ${folder}`, {
    hint: "pack all packages of this version into the folder",
  });
}

/** Returns a name that npm accepts. */
function nameOf(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return name === "" ? "my-tools" : name;
}
