/** Stands in for the gateway's own module: see `preload.ts`. */
import { openSqliteStore as open } from "../../../packages/store/src/sqlite.ts";
import { FAULT_VARIABLES, type Shortage } from "./boundaries.ts";
import { faultyStore } from "./faulty-store.ts";

// Written by the test that started this process.
const shortage = JSON.parse(process.env[FAULT_VARIABLES.shortage] ?? "{}") as Partial<Shortage>;

export const openSqliteStore: typeof open = async (options) => faultyStore(await open({ ...options, ...shortage }));
