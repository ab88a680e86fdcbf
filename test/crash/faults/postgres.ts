/** Stands in for the gateway's own module: see `preload.ts`. */
import { openPostgresStore as open } from "../../../packages/store/src/postgres.ts";
import { faultyStore } from "./faulty-store.ts";

export const openPostgresStore: typeof open = async (options) => faultyStore(await open(options));
