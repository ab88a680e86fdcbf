import { dirname } from "node:path";

/** The folder that contains the root package.json. */
export const repositoryRoot = dirname(import.meta.dirname);
