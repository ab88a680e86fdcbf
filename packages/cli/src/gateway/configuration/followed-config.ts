import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { YagateError } from "@yagate/protocol";
import { commandName } from "../../command-name.ts";
import { StdioServers } from "../stdio-servers/stdio-servers.ts";
import { applyResources, type ConfiguredResourcesOptions } from "./configured-resources.ts";
import { type DevConfig, loadConfig } from "./load-config.ts";

/** Interval between checks of the file, in ms. */
const LOOK_MS = 500;
/** The settings that a running gateway cannot change. */
const FIXED = ["port", "dataDir", "demo"] as const;

type FollowOptions = Omit<ConfiguredResourcesOptions, "servers">;

/** A configuration that was read and can be followed. */
export interface OpenedConfig {
  readonly settings: DevConfig;
  /**
   * Applies the configuration and then each change of its file since it was read. If the file becomes invalid, the
   * error is printed and the last valid configuration stays.
   */
  follow(options: FollowOptions): Promise<FollowedConfig>;
}

/** A configuration that is applied again whenever its file changes. */
export interface FollowedConfig {
  /**
   * Stops watching and ends the stdio servers, after a change that is being applied. If the file is being read,
   * it is not applied.
   */
  stop(): Promise<void>;
}

/**
 * Reads a configuration.
 *
 * @param path - the absolute path of the file.
 * @throws YagateError `INVALID_REQUEST` with the file, the line and every invalid field.
 */
export async function openConfig(path: string): Promise<OpenedConfig> {
  // Before the file is read, so that a change while it is read or before it is followed differs from this.
  const seen = await stateOf(path);
  const settings = await loadConfig(path);
  return { settings, follow: (options) => follow(path, { settings, seen }, options) };
}

async function follow(
  path: string,
  { settings, seen }: { readonly settings: DevConfig; readonly seen: string },
  options: FollowOptions,
): Promise<FollowedConfig> {
  const { note } = options;
  const servers = new StdioServers({ ...options, directory: dirname(path) });
  let applied = settings;
  let appliedState = seen;
  const stopping = new AbortController();

  async function apply(config: DevConfig) {
    try {
      return await applyResources(config, { ...options, servers });
    } catch (error) {
      note(`✕ config: ${messageOf(error)}`);
      return undefined;
    }
  }

  async function reload(): Promise<void> {
    let config: DevConfig;
    try {
      config = await loadConfig(path, stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) return;
      note(`✕ config: ${messageOf(error)}\n  The last valid configuration stays in use.`);
      return;
    }
    const changed = FIXED.filter((setting) => config[setting] !== applied[setting]);
    if (changed.length > 0) note(`config: ${changed.join(", ")} changed: restart ${commandName()} dev to apply this.`);
    applied = config;
    const outcome = await apply(config);
    // Otherwise, what failed has been printed.
    if (outcome?.isComplete !== true) return;
    note(`config: ${outcome.isChanged ? "the changed file was applied" : "nothing to apply in the changed file"}.`);
  }

  async function look(): Promise<void> {
    const state = await stateOf(path);
    if (state === appliedState || stopping.signal.aborted) return;
    appliedState = state;
    await reload();
  }

  await apply(settings);
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= look().finally(() => {
      running = undefined;
    });
  }, LOOK_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
      await servers.stop();
    },
  };
}

/** Returns a text that differs after each change of the file. */
async function stateOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats === undefined ? "missing" : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
}

function messageOf(error: unknown): string {
  return YagateError.is(error) || error instanceof Error ? error.message : String(error);
}
