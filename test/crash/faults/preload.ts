/**
 * Loaded before the gateway, it puts other modules in the place of the journal and of the way out: the same ones, but
 * for an end at the boundary that the environment names. The gateway itself knows nothing of it.
 */
import { registerHooks } from "node:module";

const SOURCES = new URL("../../../packages/", import.meta.url);

const standIns = new Map(
  [
    ["store/src/sqlite.ts", "sqlite.ts"],
    ["store/src/postgres.ts", "postgres.ts"],
    ["egress/src/guard.ts", "guard.ts"],
  ].map(([source = "", standIn = ""]) => [new URL(source, SOURCES).href, new URL(standIn, import.meta.url).href]),
);

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const url = standIns.get(resolved.url);
    return url === undefined || url === context.parentURL ? resolved : { ...resolved, url };
  },
});
