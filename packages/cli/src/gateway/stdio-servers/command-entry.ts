import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type FieldError, toFieldErrors } from "@yagate/protocol";
import { WrongFieldsError } from "../../frame/wrong-fields.ts";
import type { ConfigEntry } from "../configuration/config-schema.ts";
import { environmentOf } from "./environment.ts";
import { findProgram } from "./find-program.ts";
import { commandSchema, type StdioServer } from "./stdio-server.ts";

const COMMAND_FIELDS = commandSchema.keyof().options;

/** A tool source of the configuration file that names a command instead of a URL. */
export interface CommandEntry {
  readonly server: StdioServer;
  /** The other fields of the entry. */
  readonly source: ConfigEntry;
}

/**
 * Reads the command of a tool source of the kind `mcp`.
 *
 * @param directory - that of the configuration file, to which `cwd` is relative.
 * @returns undefined if the entry has no field of a command.
 * @throws WrongFieldsError if the entry has a command that cannot be started, or neither a command nor a URL.
 */
export function readCommandEntry(entry: ConfigEntry, directory: string): CommandEntry | undefined {
  if (entry["kind"] !== "mcp") return undefined;
  const fields = COMMAND_FIELDS.filter((field) => field in entry);
  if (fields.length === 0) {
    if ("url" in entry) return undefined;
    throw new WrongFieldsError([fault("url", "REQUIRED", "expected url, or command for a server that dev starts")]);
  }
  for (const field of ["url", "auth"] as const) {
    if (!(field in entry)) continue;
    const message = `expected either ${field} or command: a server that dev starts needs no ${field}`;
    throw new WrongFieldsError([fault(field, "CONFLICTING_FIELDS", message)]);
  }
  const isOfCommand = ([field]: readonly [string, unknown]) => fields.some((one) => one === field);
  const entries = Object.entries(entry);
  const parsed = commandSchema.safeParse(Object.fromEntries(entries.filter(isOfCommand)));
  if (!parsed.success) throw new WrongFieldsError(toFieldErrors(parsed.error));
  const { cwd = ".", ...command } = parsed.data;
  const server = { ...command, cwd: resolve(directory, cwd) };
  requireStartable(server);
  const source = { name: entry.name, ...Object.fromEntries(entries.filter((one) => !isOfCommand(one))) };
  return { server, source };
}

/** Returns whether a configuration contains a command. */
export function hasCommand(sources: readonly ConfigEntry[]): boolean {
  return sources.some((entry) => entry["kind"] === "mcp" && "command" in entry);
}

function requireStartable({ command, cwd, env }: StdioServer): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new WrongFieldsError([fault("cwd", "NOT_FOUND", `expected ${cwd} to be a directory`)]);
  }
  if (findProgram(command, cwd, environmentOf(env)) !== undefined) return;
  const place = /[/\\]/.test(command) ? `${command} does not exist in ${cwd}` : `${command} is not on the PATH`;
  throw new WrongFieldsError([fault("command", "NOT_FOUND", `expected a program that can be executed: ${place}`)]);
}

function fault(path: string, code: string, message: string): FieldError {
  return { path, code, message };
}
