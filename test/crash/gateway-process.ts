import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Yagate } from "@yagate/client";
import { generateSigningSecret } from "@yagate/protocol";
import { onTestFinished } from "vitest";
import { UNLIMITED_PLANS } from "../../packages/bench/unlimited-plans.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { freePort } from "../services/free-port.ts";
import {
  ARMED,
  ARMING_SIGNAL,
  type Death,
  FAULT_VARIABLES,
  type Fault,
  type Freeze,
  type Shortage,
} from "./faults/boundaries.ts";

const MAIN = join(repositoryRoot, "packages", "cli", "src", "main.ts");
const PRELOAD = pathToFileURL(join(import.meta.dirname, "faults", "preload.ts")).href;
const API_KEY = "yk_0123456789abcdef0123456789abcdef";

/** `yagate serve` as a process that can be killed and started again on the same port and data. */
export class GatewayProcess {
  readonly signingSecret: string;
  readonly dataDir: string;
  readonly url: string;
  readonly apiKey = API_KEY;
  /** Without retries of its own, so that a test sees every connection that breaks. */
  readonly client: Yagate;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #deathsFile: string;
  #child: ChildProcess | undefined;
  #listening: PromiseWithResolvers<void> = Promise.withResolvers();
  #isListening = false;
  #output = "";

  private constructor(directory: string, port: number, environment: Readonly<Record<string, string>>) {
    this.dataDir = join(directory, "data");
    this.#deathsFile = join(directory, "deaths");
    this.url = `http://127.0.0.1:${port}`;
    this.signingSecret = generateSigningSecret();
    this.client = new Yagate({ baseUrl: this.url, apiKey: API_KEY, maxRetries: 0 });
    const { PATH = "", NODE_OPTIONS = "" } = process.env;
    this.#environment = {
      PATH,
      NODE_OPTIONS,
      // It is started many times: what was compiled once is kept.
      NODE_COMPILE_CACHE: join(repositoryRoot, "node_modules", ".cache", "yagate-compiled"),
      YAGATE_API_KEY: API_KEY,
      YAGATE_MASTER_KEYS: `k1:${Buffer.from("the crash tests, own master key!").toString("base64")}`,
      YAGATE_SIGNING_SECRET: this.signingSecret,
      YAGATE_DATA_DIR: this.dataDir,
      YAGATE_PORT: String(port),
      YAGATE_ALLOW_CIDRS: "127.0.0.0/8",
      YAGATE_LOG_LEVEL: "error",
      YAGATE_PLANS: JSON.stringify(UNLIMITED_PLANS),
      ...environment,
    };
  }

  /** Prepares a gateway with an empty data directory; it is gone after the test. */
  static async prepare(environment: Readonly<Record<string, string>> = {}): Promise<GatewayProcess> {
    const directory = await mkdtemp(join(tmpdir(), "yagate-crash-"));
    const gateway = new GatewayProcess(directory, await freePort(), environment);
    onTestFinished(async () => {
      await gateway.kill();
      await rm(directory, { recursive: true, force: true });
    });
    return gateway;
  }

  /** @throws Error when it does not run. */
  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error("expected a process that runs");
    return pid;
  }

  /** Everything that it has logged so far, over all its lives. */
  get output(): string {
    return this.#output;
  }

  /**
   * What it has logged as an error, but for a store that was away, and for networks that all workspaces share here:
   * nothing is wrong with the gateway then.
   */
  get defects(): readonly string[] {
    const lines = this.#output.split("\n").filter((line) => line.includes('"level":50'));
    return lines.filter((line) => !/"code":"UNAVAILABLE"|YAGATE_WORKSPACE_CIDRS is not set/.test(line));
  }

  /** Resolves when it listens, now or in its next life. */
  get listening(): Promise<void> {
    return this.#listening.promise;
  }

  async start(): Promise<void> {
    return this.#begin(this.#environment);
  }

  /**
   * One life that ends by itself at a boundary, or after `limitMs`; resolves when it is over.
   *
   * @param untilArmed - what is done once it listens, before it may end; what it gives is done after that.
   */
  async liveUntil(fault: Fault, untilArmed: () => Promise<() => void>, limitMs: number): Promise<void> {
    const listening = this.#beginFaulty({ [FAULT_VARIABLES.fault]: JSON.stringify(fault) });
    const child = this.#child;
    if (child === undefined) throw new Error("expected a process");
    const exit = once(child, "exit");
    const limit = setTimeout(() => child.kill("SIGKILL"), limitMs);
    const arming = listening.then(untilArmed).then(async (afterwards) => {
      const armed = printed(child, ARMED);
      child.kill(ARMING_SIGNAL);
      // A signal takes its time: what is done before it was heard could be all that there is to cross.
      await armed;
      afterwards();
    });
    // It may have ended long before.
    arming.catch(() => {});
    await exit;
    clearTimeout(limit);
    if (child.signalCode !== "SIGKILL") throw new Error(`expected a life that is cut short:\n${this.#output}`);
  }

  /** Starts a life that stops by itself as SIGSTOP stops it; `SIGCONT` lets it go on. */
  async startToFreeze(freeze: Freeze): Promise<void> {
    return this.#beginFaulty({ [FAULT_VARIABLES.freeze]: JSON.stringify(freeze) });
  }

  /** Starts a life whose disk fills up. */
  async startWithShortage(shortage: Shortage): Promise<void> {
    return this.#beginFaulty({ [FAULT_VARIABLES.shortage]: JSON.stringify(shortage) });
  }

  /** How its lives ended by themselves so far, or were frozen. */
  async deaths(): Promise<readonly Death[]> {
    const text = await readFile(this.#deathsFile, "utf8").catch(() => "");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }

  #beginFaulty(environment: Readonly<Record<string, string>>): Promise<void> {
    return this.#begin({
      ...this.#environment,
      NODE_OPTIONS: `${this.#environment["NODE_OPTIONS"]} --import=${PRELOAD}`,
      [FAULT_VARIABLES.deaths]: this.#deathsFile,
      ...environment,
    });
  }

  async #begin(environment: Readonly<Record<string, string>>): Promise<void> {
    const child = spawn(process.execPath, [MAIN, "serve"], { stdio: ["ignore", "pipe", "pipe"], env: environment });
    this.#child = child;
    child.once("exit", () => {
      if (this.#child === child) this.#forgetChild();
    });
    const failed = once(child, "exit").then(([code, signal]) => {
      throw new Error(`the gateway ended with ${code ?? signal}:\n${this.#output}`);
    });
    const heard = new Promise<void>((resolve) => {
      const take = (data: Buffer) => {
        this.#output += data.toString();
        if (data.includes("Yagate listens on")) resolve();
      };
      child.stdout.on("data", take);
      child.stderr.on("data", take);
    });
    await Promise.race([heard, failed]);
    failed.catch(() => {});
    // It may have been told to end meanwhile.
    if (this.#child !== child) return;
    this.#isListening = true;
    this.#listening.resolve();
  }

  #forgetChild(): void {
    this.#child = undefined;
    // Whoever waits for a life that ended before it listened waits for the next one.
    if (this.#isListening) this.#listening = Promise.withResolvers();
    this.#isListening = false;
  }

  /** kill -9, at once; resolves when the process is gone. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** Sends a signal that ends it, and says how it ended. */
  async end(signal: NodeJS.Signals): Promise<number | string> {
    const child = this.#child;
    if (child === undefined) return "not running";
    this.#forgetChild();
    const isRunning = child.exitCode === null && child.signalCode === null;
    const exit = isRunning ? once(child, "exit") : Promise.resolve([child.exitCode, child.signalCode]);
    child.kill(signal);
    const [code, endedBy] = await exit;
    return code ?? endedBy;
  }

  /** Sends a signal that it survives. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }
}

/** Resolves when a process has printed a text; never, if it ends before. */
function printed({ stderr }: ChildProcess, text: string): Promise<void> {
  let heard = "";
  return new Promise((resolve) => {
    stderr?.on("data", (data: Buffer) => {
      heard += data.toString();
      if (heard.includes(text)) resolve();
    });
  });
}
