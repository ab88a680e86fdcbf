import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Yagate } from "@yagate/client";
import { type ToolSource, toVisibleLine } from "@yagate/protocol";
import type { ConfigEntry } from "../configuration/config-schema.ts";
import { Bridge } from "./bridge.ts";
import { deletePlace, newPlace, placeFile, readPlace, writePlace } from "./bridge-place.ts";
import { hasCommand, readCommandEntry } from "./command-entry.ts";
import { MessageRouter } from "./message-router.ts";
import { ServerProcess } from "./server-process.ts";
import { hashOfServer, type StdioServer } from "./stdio-server.ts";

/** The workspace secret with the token of the bridge. */
const TOKEN_SECRET = "YAGATE_STDIO_BRIDGE";
const TOKEN_HOSTS = ["127.0.0.1"];

export interface StdioServersOptions {
  readonly client: Yagate;
  readonly dataDir: string;
  /** The directory of the configuration file. */
  readonly directory: string;
  /** Prints a line. */
  readonly note: (text: string) => void;
}

interface RunningServer {
  readonly server: StdioServer;
  readonly path: string;
  readonly router: MessageRouter;
  readonly process: ServerProcess;
}

/**
 * The stdio servers of a configuration. A bridge makes them available to the gateway over HTTP, so that the gateway
 * never starts a process.
 */
export class StdioServers {
  readonly #options: StdioServersOptions;
  readonly #running = new Map<string, RunningServer>();
  #bridge: Bridge | undefined;

  constructor(options: StdioServersOptions) {
    this.#options = options;
    process.on("exit", this.#kill);
  }

  /**
   * Reads a tool source of the configuration.
   *
   * @returns the tool source as the gateway gets it, and what starts its server. An entry without a command is returned
   *   as it is.
   * @throws WrongFieldsError if the entry has a command that cannot be started.
   */
  async prepare(entry: ConfigEntry): Promise<{ readonly source: ConfigEntry; start(): Promise<void> }> {
    const read = readCommandEntry(entry, this.#options.directory);
    if (read === undefined) return { source: entry, start: async () => undefined };
    const { server, source } = read;
    const { name } = source;
    this.#bridge ??= await this.#openBridge();
    const path = `/${encodeURIComponent(name)}/${hashOfServer(server)}`;
    return {
      source: { ...source, url: this.#bridge.urlOf(path), auth: { credential: TOKEN_SECRET } },
      start: () => this.#run(name, server, path),
    };
  }

  /** Ends the servers that a configuration no longer contains, and the bridge with the last one. */
  async keepOnly(sources: readonly ConfigEntry[]): Promise<void> {
    const commands = sources.filter((entry) => hasCommand([entry])).map(({ name }) => name);
    const removed = [...this.#running.keys()].filter((name) => !commands.includes(name));
    await Promise.all(removed.map((name) => this.#end(name)));
    const { client, dataDir } = this.#options;
    if (commands.length > 0 || !existsSync(placeFile(dataDir))) return;
    await this.#bridge?.close();
    this.#bridge = undefined;
    await client.secrets.delete(TOKEN_SECRET).catch(() => undefined);
    await deletePlace(dataDir);
  }

  /** Ends all servers and the bridge. */
  async stop(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.#end(name)));
    await this.#bridge?.close();
    process.off("exit", this.#kill);
  }

  async #run(name: string, server: StdioServer, path: string): Promise<void> {
    const current = this.#running.get(name);
    if (current !== undefined && isDeepStrictEqual(current.server, server)) return;
    await this.#end(name);
    const note = (text: string) => this.#options.note(`[${toVisibleLine(name)}] ${text}`);
    if (current !== undefined) note("the server starts again, because its configuration changed");
    let isSilent = true;
    const router = new MessageRouter((message) => running.send(message));
    const running = new ServerProcess(server, {
      onMessage: (message) => {
        router.receive(message);
        // A server may need longer for its start than the gateway waits.
        if (isSilent) void this.#sync(name, ({ status }) => status === "unreachable");
        isSilent = false;
      },
      onEnd: (reason) => {
        isSilent = true;
        router.reset(reason);
        this.#bridge?.forgetSessions(router);
      },
      onRestart: () => void this.#sync(name),
      note,
    });
    this.#running.set(name, { server, path, router, process: running });
    // Another path is another URL, with which the gateway syncs the source by itself.
    if (current?.path === path) void this.#sync(name);
  }

  async #end(name: string): Promise<void> {
    await this.#running.get(name)?.process.stop();
    this.#running.delete(name);
  }

  /** Lets the gateway read the tools of a server again, because its program may have changed. */
  async #sync(name: string, isDue: (source: ToolSource) => boolean = () => true): Promise<void> {
    const { sources } = this.#options.client;
    try {
      const found = (await sources.list({ limit: 200 }).toArray()).find((source) => source.name === name);
      if (found !== undefined && isDue(found)) await sources.sync(found.id);
    } catch {
      // The gateway syncs the source later, and reports what fails.
    }
  }

  async #openBridge(): Promise<Bridge> {
    const { client, dataDir, note } = this.#options;
    const stored = await readPlace(dataDir);
    const { port, token } = stored ?? newPlace();
    const find = (path: string) => {
      const found = [...this.#running.values()].find((running) => running.path === path);
      return found && { router: found.router, restartsInMs: found.process.restartsInMs };
    };
    const bridge = await Bridge.open({ port, token, find }).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
      note(`✕ config: port ${port} is in use, so the tools of stdio servers are held: their URLs get another port.`);
      return Bridge.open({ port: 0, token, find });
    });
    try {
      if (bridge.port !== stored?.port) await writePlace(dataDir, { port: bridge.port, token });
      await client.secrets.set(TOKEN_SECRET, { value: token, hosts: TOKEN_HOSTS });
      return bridge;
    } catch (error) {
      await bridge.close();
      throw error;
    }
  }

  readonly #kill = (): void => {
    for (const { process: running } of this.#running.values()) running.kill();
  };
}
