import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import * as z from "zod";

const TIMEOUT_MS = 30_000;

/** A thread has its own modules, so that each run reads the file and what it imports again. */
const CODE = `
const { parentPort, workerData } = require("node:worker_threads");
const asData = (key, value) => {
  if (typeof value !== "function") return value;
  throw new TypeError("expected data in " + JSON.stringify(key) + ", found a function");
};
const failed = (error) => ({ message: String(error?.message ?? error), stack: String(error?.stack ?? "") });
import(workerData)
  .then(async (module) => ({ json: JSON.stringify(await module.default, asData) }))
  .catch(failed)
  .then((report) => parentPort.postMessage({ reportOf: workerData, ...report }));
`;

/** The file and its imports can send messages too, so a report names the file. */
const reportSchemaOf = (url: string) =>
  z.union([
    z.object({ reportOf: z.literal(url), message: z.string(), stack: z.string() }),
    z.object({ reportOf: z.literal(url), json: z.string().optional() }),
  ]);

/** A file that cannot be run as a module. */
export class ModuleFault extends Error {
  /** The line of the file, counted from 1; undefined if it is not known. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/**
 * Runs a JavaScript or TypeScript file and returns its default export as JSON. Node strips the types.
 *
 * @param file - the absolute path of the file.
 * @param signal - ends the run when aborted.
 * @throws ModuleFault with the line, if the file fails, does not end within 30 s, or the run is aborted.
 */
export async function runModule(file: string, signal?: AbortSignal): Promise<unknown> {
  const url = pathToFileURL(file).href;
  const worker = new Worker(CODE, { eval: true, workerData: url });
  const reportSchema = reportSchemaOf(url);
  let timer: NodeJS.Timeout | undefined;
  let abort = () => {};
  try {
    const report = await new Promise<z.output<typeof reportSchema>>((resolve, reject) => {
      abort = () => reject(new ModuleFault("the run was aborted"));
      signal?.addEventListener("abort", abort);
      if (signal?.aborted === true) abort();
      timer = setTimeout(() => reject(new ModuleFault(`it did not end within ${TIMEOUT_MS / 1_000} s`)), TIMEOUT_MS);
      worker.on("message", (message) => {
        const { data } = reportSchema.safeParse(message);
        if (data !== undefined) resolve(data);
      });
      worker.once("error", (error: unknown) => reject(new ModuleFault(error instanceof Error ? error.message : "")));
      worker.once("exit", () => reject(new ModuleFault("it ended the process")));
    });
    if ("message" in report) throw new ModuleFault(report.message, lineIn(report.stack, [file, url]));
    if (report.json === undefined) throw new ModuleFault("expected a default export");
    return JSON.parse(report.json);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    await worker.terminate();
  }
}

/** Finds the first line of the file that a stack trace names. */
function lineIn(stack: string, names: readonly string[]): number | undefined {
  for (const text of stack.split("\n")) {
    for (const name of names) {
      const at = text.indexOf(`${name}:`);
      const [, line] = at === -1 ? [] : (/^(\d+)/.exec(text.slice(at + name.length + 1)) ?? []);
      if (line !== undefined) return Number(line);
    }
  }
  return undefined;
}
