import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { configFromEnvironment } from "../../src/config/environment.ts";

const folder = await mkdtemp(join(tmpdir(), "yagate-secret-files-"));
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

it("each secret can come from a file, without its final line break", async () => {
  const config = configFromEnvironment(
    {
      YAGATE_API_KEY_FILE: await fileWith("api-key", "yk_of_the_operator\n"),
      YAGATE_MASTER_KEYS_FILE: await fileWith("master-keys", `k1:${"A".repeat(43)}=\r\n`),
      DATABASE_URL_FILE: await fileWith("database", "postgres://gateway:p%40ss@db.internal:5432/yagate", 0o640),
      OPENAI_API_KEY_FILE: await fileWith("openai", "sk-planted\n", 0o400),
      YAGATE_PROVIDERS: "house=https://models.example/v1",
      HOUSE_API_KEY_FILE: await fileWith("house", "house-planted"),
      YAGATE_SEARCH_PROVIDERS: "brave",
      YAGATE_BRAVE_API_KEY_FILE: await fileWith("brave", "brave-planted"),
    },
    { required: ["YAGATE_API_KEY", "YAGATE_MASTER_KEYS"] },
  );
  expect(config).toMatchObject({
    ...{ apiKey: "yk_of_the_operator", databaseUrl: "postgres://gateway:p%40ss@db.internal:5432/yagate" },
    providers: { openai: { apiKey: "sk-planted" }, house: { apiKey: "house-planted" } },
    search: { brave: { apiKey: "brave-planted" } },
  });
});

it.each<[string, () => Promise<Record<string, string>>, RegExp]>([
  [
    "both forms at once",
    async () => ({
      YAGATE_API_KEY: "yk_planted_of_the_operator",
      YAGATE_API_KEY_FILE: await fileWith("both", "planted"),
    }),
    /YAGATE_API_KEY_FILE: YAGATE_API_KEY is set too/,
  ],
  [
    "a file that other users can read",
    async () => ({ YAGATE_API_KEY_FILE: await fileWith("shared", "planted", 0o644) }),
    /YAGATE_API_KEY_FILE: \S+shared can be read by other users/,
  ],
  [
    "a file that other users can change",
    async () => ({ YAGATE_API_KEY_FILE: await fileWith("open", "planted", 0o622) }),
    /YAGATE_API_KEY_FILE: \S+open can be changed by other users/,
  ],
  ["a file that is missing", async () => ({ YAGATE_API_KEY_FILE: join(folder, "none") }), /none does not exist/],
  ["a folder", async () => ({ YAGATE_API_KEY_FILE: folder }), /is not a file/],
  ["an empty file", async () => ({ YAGATE_API_KEY_FILE: await fileWith("empty", "\n") }), /empty is empty/],
  [
    "a file of 64 KiB and more",
    async () => ({ YAGATE_API_KEY_FILE: await fileWith("large", "planted".repeat(10_000)) }),
    /has more than 65536 bytes/,
  ],
  [
    "a file for what is no secret",
    async () => ({ YAGATE_PORT_FILE: await fileWith("port", "4820") }),
    /YAGATE_PORT_FILE: not a variable of the gateway/,
  ],
])("refuses %s, without its content", async (_what, environment, expected) => {
  const given = await environment();
  let message = "";
  try {
    configFromEnvironment(given);
  } catch (error) {
    message = error instanceof Error ? error.message : "";
  }
  expect(message).toMatch(expected);
  expect(message).not.toContain("planted");
});
