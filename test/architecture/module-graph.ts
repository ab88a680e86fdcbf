/** One import, resolved: `to` is a file of the repository (`packages/…`) or a name outside it (`zod`, `node:fs`). */
export interface ModuleImport {
  readonly to: string;
  readonly isTypeOnly: boolean;
}

/** Files of the repository, by their path from its root with forward slashes, and what each imports. */
export type ModuleGraph = ReadonlyMap<string, readonly ModuleImport[]>;
