import { randomBytes } from "node:crypto";
import { generateSigningSecret } from "@yagate/protocol";
import { startListening } from "../../../../packages/cli/test/support/command.ts";
import { makeFolder } from "../../../../packages/cli/test/support/folder.ts";
import { type Collector, startCollector } from "../../../../packages/cli/test/tracing/collector.ts";
import { type ModelServer, type Played, startModelServer } from "../model-server.ts";

const planted = {
  apiKey: () => `yk_${randomBytes(32).toString("base64url")}`,
  providerKey: () => `sk-${randomBytes(24).toString("hex")}`,
  masterKey: () => randomBytes(32).toString("base64"),
};

/** A gateway in a process of its own, of which everything is kept that it tells anybody. */
export interface PlantedWorld {
  /** What must be found nowhere, by what it is. A story adds what it makes. */
  readonly values: Map<string, string>;
  /** What must be found, so that a search is seen to look at the right bytes. */
  readonly known: string[];
  readonly dataDir: string;
  readonly model: ModelServer;
  /**
   * Asks the API and keeps the answer.
   * @param options.shows - fields of the answer that hold a new secret for the only time, each with a name for it: those
   * are planted from now on, and kept out of what is searched.
   */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
  /** Starts a gateway on the same data with another environment; the one before has ended. */
  restart(env: Readonly<Record<string, string>>): Promise<void>;
  /** Resolves once the log of the gateway that runs has it. */
  untilLogged(pattern: RegExp): Promise<unknown>;
  stop(): Promise<void>;
  /** Everything that left the gateway, by where it went. */
  written(): ReadonlyMap<string, Buffer>;
}

export interface AskOptions {
  readonly body?: unknown;
  /** Default: the bootstrap key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly shows?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * @param turnsOf - the turns that a model provider on this machine plays; it may quote what it knows.
 * @param env - further settings, such as `DATABASE_URL`.
 */
export async function openPlantedWorld(
  turnsOf: (values: ReadonlyMap<string, string>) => readonly Played[],
  env: Readonly<Record<string, string>>,
): Promise<PlantedWorld> {
  const collector: Collector = await startCollector();
  const cwd = await makeFolder();
  const values = new Map<string, string>([
    ["the API key", planted.apiKey()],
    ["the master key", planted.masterKey()],
    ["the signing secret", generateSigningSecret()],
    ["the provider's key", planted.providerKey()],
  ]);
  const model = await startModelServer(turnsOf(values));
  const plantedAs = (name: string) => values.get(name) ?? "";
  const settings: Record<string, string> = {
    YAGATE_PORT: "0",
    YAGATE_DATA_DIR: cwd,
    YAGATE_LOG_LEVEL: "debug",
    YAGATE_ALLOW_CIDRS: "127.0.0.0/8",
    YAGATE_DRAIN_MS: "0",
    YAGATE_TRACE_CONTENT: "preview",
    YAGATE_PLANS: JSON.stringify({ standard: { callsPerExecution: 1_000, callsPerMinute: 1_000 } }),
    YAGATE_API_KEY: plantedAs("the API key"),
    YAGATE_MASTER_KEYS: `k1:${plantedAs("the master key")}`,
    YAGATE_SIGNING_SECRET: plantedAs("the signing secret"),
    OPENAI_API_KEY: plantedAs("the provider's key"),
    OPENAI_BASE_URL: model.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ...env,
  };
  const start = (changed: Readonly<Record<string, string>>) =>
    startListening(["serve"], { cwd, env: { ...settings, ...changed } });
  const gateways = [await start({})];
  const answers: string[] = [];
  const current = () => {
    const gateway = gateways.at(-1);
    if (gateway === undefined) throw new Error("expected a gateway");
    return gateway;
  };

  return {
    values,
    known: [],
    dataDir: cwd,
    model,
    async ask(method, path, { body, key = plantedAs("the API key"), headers = {}, shows = {} } = {}) {
      const response = await fetch(`${current().url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = /json/.test(response.headers.get("content-type") ?? "") && text !== "";
      const json = isJson ? JSON.parse(text) : {};
      let kept = text;
      for (const [field, name] of Object.entries(shows)) {
        const shown = String(json[field]);
        values.set(name, shown);
        kept = kept.replace(JSON.stringify(shown), '"(shown once)"');
      }
      answers.push(`${method} ${path} ${response.status}`, JSON.stringify([...response.headers]), kept);
      return { status: response.status, text, json };
    },
    async restart(changed) {
      await current().stop();
      gateways.push(await start(changed));
    },
    untilLogged: (pattern) => current().until(pattern),
    async stop() {
      await current().stop();
    },
    written: () =>
      new Map([
        ["answers of the API", Buffer.from(answers.join("\n"))],
        ["the log", Buffer.from(gateways.map(({ output }) => output()).join("\n"))],
        ["traces", Buffer.from(collector.text())],
        ["what the model was sent", Buffer.from(model.requests.map(({ text }) => text).join("\n"))],
      ]),
  };
}
