import { unwatchFile, watchFile } from "node:fs";
import { YagateError } from "@yagate/protocol";
import { applyResources, type ConfiguredResourcesOptions } from "./configured-resources.ts";
import { type DevConfig, loadConfig } from "./load-config.ts";

/** Time between two looks at the file, in ms. */
const LOOK_MS = 500;
/** The settings that a running gateway cannot change. */
const FIXED = ["port", "dataDir", "demo"] as const;

/** A configuration that is applied again whenever its file changes. */
export interface FollowedConfig {
  /** Stops watching, after a change that is being applied. A file that is being read is not applied any more. */
  stop(): Promise<void>;
}

/**
 * Applies a configuration and then each change of its file. If the file becomes invalid, the error is printed and the
 * last valid configuration stays.
 *
 * @param path - the absolute path of the file.
 */
export async function followConfig(
  path: string,
  first: DevConfig,
  options: ConfiguredResourcesOptions,
): Promise<FollowedConfig> {
  const { note } = options;
  let applied = first;
  let running: Promise<unknown> = apply(first);
  const stopping = new AbortController();

  async function apply(config: DevConfig) {
    try {
      return await applyResources(config, options);
    } catch (error) {
      note(`✕ config: ${messageOf(error)}`);
      return undefined;
    }
  }

  async function reload(): Promise<void> {
    if (stopping.signal.aborted) return;
    let config: DevConfig;
    try {
      config = await loadConfig(path, stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) return;
      note(`✕ config: ${messageOf(error)}\n  The last valid configuration stays in use.`);
      return;
    }
    const changed = FIXED.filter((setting) => config[setting] !== applied[setting]);
    if (changed.length > 0) note(`config: ${changed.join(", ")} changed: restart yagate dev to apply this.`);
    applied = config;
    const outcome = await apply(config);
    // Otherwise, what failed has been printed.
    if (outcome?.isComplete !== true) return;
    note(`config: ${outcome.isChanged ? "the changed file was applied" : "nothing to apply in the changed file"}.`);
  }

  const listener = () => {
    running = running.then(reload);
  };
  watchFile(path, { interval: LOOK_MS, persistent: false }, listener);
  await running;
  return {
    async stop() {
      unwatchFile(path, listener);
      stopping.abort();
      await running;
    },
  };
}

function messageOf(error: unknown): string {
  return YagateError.is(error) || error instanceof Error ? error.message : String(error);
}
