import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { caseFromExecution, cassettePath, parseCases, writeCassette } from "@yagate/evals";
import { YagateError } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";

export interface FromOptions {
  /** `yagate eval` parses it, as an option that may be repeated. */
  readonly case?: readonly string[];
  readonly folder?: string;
  readonly withInput?: boolean;
}

const DEFAULT_FOLDER = "evals";

/** Writes a case and its cassette from an execution, and prints their paths. */
export async function fromExecution(invocation: Invocation, id: string, options: FromOptions): Promise<void> {
  const { case: [caseId = id] = [], folder = DEFAULT_FOLDER, withInput } = options;
  const client = await invocation.client();
  const { yaml, cassette } = await caseFromExecution(client, id, { caseId, withInput });
  const file = join(folder, `${caseId}.yaml`);
  const [made] = parseCases(yaml, file);
  if (made === undefined) throw new TypeError("expected a case");
  const paths = { case: file, cassette: cassettePath(made) };
  for (const path of Object.values(paths)) await requireAbsent(path);
  await writeCassette(paths.cassette, cassette);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, yaml, { flag: "wx" });
  invocation.output.done(paths, `Wrote ${file} and its cassette.`);
}

async function requireAbsent(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined)
    throw new YagateError("INVALID_REQUEST", `${path} exists`, { hint: "choose another --case" });
}
