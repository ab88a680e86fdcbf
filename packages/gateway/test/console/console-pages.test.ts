import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { makeTemporaryDirectory } from "../../../store/test/support/temporary-directory.ts";
import { readConsoleFiles } from "../../src/console/console-files.ts";
import { type ConsolePages, createConsolePages } from "../../src/http/responses/console-pages.ts";

const SHELL = '<!doctype html><html><head><script type="module" src="assets/index-abc.js"></script></head></html>';

async function build(isBuilt = true, isDevelopment = false): Promise<ConsolePages> {
  const { path, remove } = await makeTemporaryDirectory();
  onTestFinished(remove);
  if (isBuilt) {
    await mkdir(join(path, "assets"));
    await writeFile(join(path, "index.html"), SHELL);
    for (const [name, text] of [
      ["index-abc.js", "plain"],
      ["index-abc.js.br", "br"],
      ["index-abc.js.gz", "gzip"],
      ["gallery-def.js", "gallery"],
    ] as const) {
      await writeFile(join(path, "assets", name), text);
    }
  }
  return createConsolePages(() => readConsoleFiles(isDevelopment, path));
}

const request = (encodings?: string) => ({ headers: encodings === undefined ? {} : { "accept-encoding": encodings } });

describe("the pages of the console", () => {
  let pages: ConsolePages;
  beforeEach(async () => {
    pages = await build();
  });
  const get = async (path: string, encodings?: string) => {
    const response = await pages.respond(request(encodings), path);
    return response && { ...response, body: String(response.body) };
  };

  it.each([
    ["/console/", "./"],
    ["/console/executions", "./"],
    ["/console/executions/", "../"],
    ["/console/executions/exec_1", "../"],
    ["/console/executions/exec_1/usage", "../../"],
  ])("%s is the shell, whose links work wherever a proxy serves it", async (path, base) => {
    const response = await get(path);
    expect(response).toMatchObject({ status: 200, headers: { "Cache-Control": "no-store" } });
    expect(response?.body).toContain(`<head><base href="${base}">`);
    const url = new URL(path.replace("/console", "https://agents.example/yagate/console"), "https://agents.example");
    expect(new URL(base, url).pathname).toBe("/yagate/console/");
  });

  it("/console leads to /console/, also behind a proxy", async () => {
    const { status = 0, headers } = (await get("/console")) ?? {};
    expect(status).toBe(308);
    expect(new URL(headers?.["Location"] ?? "", "https://agents.example/yagate/console").pathname).toBe(
      "/yagate/console/",
    );
  });

  it.each([
    [undefined, "plain", undefined],
    ["gzip, deflate", "gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br", "br"],
    ["br;q=0, gzip", "gzip", "gzip"],
  ])("a file is sent in the best form for Accept-Encoding %s, and kept forever", async (encodings, body, encoding) => {
    const response = await get("/console/assets/index-abc.js", encodings);
    expect(response).toMatchObject({ status: 200, body });
    expect(response?.headers["Content-Encoding"]).toBe(encoding);
    expect(response?.headers).toMatchObject({
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    });
  });

  it.each([
    "/console/assets/index-old.js",
    "/console/assets/..%2findex.html",
    "/console/assets/index-abc.js.br",
    "/console/assets/__proto__.js",
    "/console/favicon.ico",
    "/console/index.html",
    "/console/.env",
  ])("%s is not a page", async (path) => {
    expect(await get(path)).toBeUndefined();
  });

  it("run no inline code, no code of other origins, and in no frame", async () => {
    for (const path of ["/console/", "/console/assets/index-abc.js", "/console"]) {
      const { headers } = (await get(path)) ?? {};
      expect(headers).toMatchObject({
        "Content-Security-Policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
      });
    }
  });
});

it("the gallery of components is served in development only", async () => {
  const path = "/console/assets/gallery-def.js";
  expect(await (await build()).respond(request(), path)).toBeUndefined();
  expect(await (await build(true, true)).respond(request(), path)).toMatchObject({ status: 200 });
});

it("a gateway whose console was not built says so, and serves it once it is built", async () => {
  const response = await (await build(false)).respond(request(), "/console/executions");
  expect(response).toMatchObject({ status: 503, body: expect.stringContaining("npm run build") });
});
