import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { YagateError } from "@yagate/protocol";
import * as z from "zod";

type Environment = Readonly<Record<string, string | undefined>>;

const profileSchema = z.strictObject({ url: z.string(), apiKey: z.string() });
const fileSchema = z.strictObject({ profiles: z.record(z.string(), profileSchema) });

/** The URL of a gateway, and a key for it. */
export type Profile = z.infer<typeof profileSchema>;

const GROUP_AND_OTHERS = 0o077;

/** Returns `$XDG_CONFIG_HOME/yagate/profiles.json`, by default in `~/.config`. */
export function profilePath(environment: Environment): string {
  const home = environment["XDG_CONFIG_HOME"] ?? "";
  // The specification requires relative paths to be ignored.
  const base = home.startsWith("/") ? home : join(environment["HOME"] ?? homedir(), ".config");
  return join(base, "yagate", "profiles.json");
}

/**
 * Reads a profile; undefined if it does not exist.
 *
 * @throws YagateError `NOT_CONFIGURED` if other users can read the file, or if it is not a profile file.
 */
export function readProfile(path: string, name: string): Profile | undefined {
  const profiles = readProfiles(path);
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** Writes a profile so that only its owner can read it: the file with mode 0600, its directory with 0700. */
export function writeProfile(path: string, name: string, profile: Profile): void {
  const profiles = { ...readProfiles(path), [name]: profile };
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  // Replaced by rename, so readers see neither a partial file nor the mode of an older file.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
}

function readProfiles(path: string): Readonly<Record<string, Profile>> {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return {};
  if (process.platform !== "win32" && (mode & GROUP_AND_OTHERS) !== 0) {
    const shown = (mode & 0o777).toString(8).padStart(4, "0");
    throw new YagateError("NOT_CONFIGURED", `other users can read the API keys in ${path} (mode ${shown})`, {
      hint: `chmod 600 '${path}', and rotate the keys if others may have read them`,
    });
  }
  const parsed = fileSchema.safeParse(parseJsonOrUndefined(readFileSync(path, "utf8")));
  if (parsed.success) return parsed.data.profiles;
  throw new YagateError("NOT_CONFIGURED", `expected profiles in ${path}, which contains something else`, {
    hint: "remove the file and run yagate login again",
  });
}
