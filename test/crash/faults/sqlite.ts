/** Stands in for the gateway's own module: see `preload.ts`. */
import { openSqliteStore as open } from "../../../packages/gateway/src/journal/sqlite.ts";
import { faultyStore } from "./faulty-store.ts";

export const openSqliteStore: typeof open = async (options) => faultyStore(await open(options));
