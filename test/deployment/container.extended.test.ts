import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { chown } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Yagate } from "@yagate/client";
import { createHandler, defineTool } from "@yagate/handler";
import { toNodeListener } from "@yagate/handler/node";
import { generateSigningSecret } from "@yagate/protocol";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { freePort } from "../services/free-port.ts";
import { listenOnLoopback } from "../services/listen-on-loopback.ts";

const MAIN = join(repositoryRoot, "packages", "cli", "src", "main.ts");
const EXECUTIONS = 60;
/** Calls that have arrived when the gateway is stopped: others are in flight or not yet sent. */
const ARRIVED = 12;

/** Runs a command as the container does: its user, no privileges, and every file system read-only except `$DATA`. */
const IN_CONTAINER = `
set -e
mount --make-rprivate /
mount --bind "$DATA" "$DATA"
cut -d' ' -f2 /proc/self/mounts | while read -r place; do
  case "$place" in
    "$DATA"|/proc*|/sys*|/dev*) ;;
    *) mount -o remount,bind,ro "$place" 2> /dev/null || true ;;
  esac
done
exec setpriv --reuid=65532 --regid=65532 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`;

const container = (data: string, command: readonly string[]) => ({
  file: "unshare",
  args: ["--mount", "sh", "-c", IN_CONTAINER, "sh", ...command],
  env: { DATA: data, PATH: process.env["PATH"], HOME: "/nonexistent", NODE_OPTIONS: process.env["NODE_OPTIONS"] },
});

async function makeData(): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), "yagate-container-"));
  await chown(data, 65_532, 65_532);
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  return data;
}

/** Whether this machine lets the tests do what a container runtime does. */
function canContain(): boolean {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/setpriv")) return false;
  const data = mkdtempSync(join(tmpdir(), "yagate-container-"));
  try {
    const { file, args, env } = container(data, [process.execPath, MAIN, "--version"]);
    execFileSync(file, args, { env, stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(data, { recursive: true });
  }
}

it.skipIf(!canContain())(
  "the gateway of the container starts, is healthy, and loses and repeats no call when it stops under load",
  {
    timeout: 120_000,
  },
  async () => {
    const data = await makeData();
    const touched = container(data, [
      "sh",
      "-c",
      `! touch /x 2>/dev/null && ! touch "${repositoryRoot}/x" 2>/dev/null && touch "$DATA/x"`,
    ]);
    execFileSync(touched.file, touched.args, { env: touched.env });

    const secret = generateSigningSecret();
    const port = `${await freePort()}`;
    const apiKey = "yk_8Zq2rW5tY7uI9oP1aS3dF6gH0jK4lXcV";
    const settings = {
      ...{ YAGATE_API_KEY: apiKey, YAGATE_SIGNING_SECRET: secret, YAGATE_PORT: port, YAGATE_HOST: "127.0.0.1" },
      YAGATE_MASTER_KEYS: `k1:${Buffer.from("w9#kQz!7rT2$mB5^xL8&vN1*cF4@hJ6%").toString("base64")}`,
      ...{ YAGATE_DATA_DIR: join(data, "yagate"), YAGATE_ALLOW_CIDRS: "127.0.0.0/8", YAGATE_LOG_LEVEL: "silent" },
    };
    const doctor = () => {
      const { file, args, env } = container(data, [process.execPath, MAIN, "doctor", "--live"]);
      return `${execFileSync(file, args, { env: { ...env, ...settings } })}`;
    };
    const start = async () => {
      const { file, args, env } = container(data, [process.execPath, MAIN, "serve"]);
      const child = spawn(file, args, { env: { ...env, ...settings }, stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      for await (const chunk of child.stdout) if (`${chunk}`.includes("listens on")) break;
      return {
        async stop() {
          const ended = once(child, "exit");
          child.kill("SIGTERM");
          return (await ended)[0];
        },
      };
    };

    /** How often each call arrived. The handler kit would run a repeated call only once. */
    const arrivals = new Map<string, number>();
    let answered = 0;
    const charge = defineTool({
      ...{ name: "charge", description: "Charge a card.", parameters: z.object({ amount: z.int() }) },
      async execute({ amount }) {
        await sleep(400 + (amount % 5) * 100);
        return { charged: amount };
      },
    });
    const handle = toNodeListener(createHandler({ secrets: [secret], tools: [charge] }));
    const server = createServer((request, response) => {
      const id = `${request.headers["idempotency-key"]}`;
      arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
      response.once("finish", () => {
        answered += 1;
      });
      return handle(request, response);
    });
    const url = `${await listenOnLoopback(server)}/tools`;

    const first = await start();
    expect(doctor()).toBe("");
    const client = new Yagate({ baseUrl: `http://127.0.0.1:${port}`, apiKey });
    const { id: agent } = await client.agents.create({
      ...{ name: "Till", model: "scripted/turns", policy: { approval: "never" } },
      tools: [
        {
          ...{ name: "charge", description: "Charge a card.", handler: url, sideEffect: "destructive" },
          parameters: { type: "object", properties: { amount: { type: "integer" } } },
        },
      ],
    });
    const starting = Array.from({ length: EXECUTIONS }, (_, amount) => {
      const script = { turns: [{ toolCalls: [{ name: "charge", parameters: { amount } }] }, { text: "done" }] };
      return client.agents.start(agent, { input: "go", script });
    });
    const ids = (await Promise.all(starting)).map(({ id }) => id);
    while (arrivals.size < ARRIVED) await sleep(5);
    const inFlight = arrivals.size - answered;
    expect(inFlight).toBeGreaterThan(0);
    expect(await first.stop()).toBe(0);

    const second = await start();
    const statusOf = async (id: string) => (await client.executions.get(id)).status;
    await expect
      .poll(async () => new Set(await Promise.all(ids.map(statusOf))), { timeout: 60_000, interval: 200 })
      .toEqual(new Set(["completed"]));
    const calls = (await Promise.all(ids.map((id) => client.executions.toolCalls(id).toArray()))).flat();
    expect(calls.map(({ status }) => status)).toEqual(Array(EXECUTIONS).fill("completed"));
    expect([...arrivals.keys()].toSorted()).toEqual(calls.map(({ id }) => id).toSorted());
    expect(new Set(arrivals.values())).toEqual(new Set([1]));
    process.stdout.write(`\n${JSON.stringify({ executions: EXECUTIONS, inFlightAtTheStop: inFlight })}\n`);
    expect(await second.stop()).toBe(0);
  },
);
