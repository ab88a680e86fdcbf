import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyCall } from "@yagate/handler";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { onTestFinished } from "vitest";
import { repositoryRoot } from "../../../scripts/repository-root.ts";
import { codeBlocks } from "../../docs-blocks/code-blocks.ts";
import { RUNNERS, startable } from "../../docs-blocks/verifier-runners.ts";
import type { RawCall } from "./services.ts";

const PAGE = "docs/verify-in-any-language.md";

/** Whether somebody who holds this secret takes the call for the gateway's. */
export type Verifier = (call: RawCall, secret: string) => Promise<boolean>;

/** Everybody who may have to verify a call: our kit, the libraries of others, and the lines of our own documentation. */
export const VERIFIERS = {
  "the handler kit": (call, secret) => verifyCall(call, { secrets: [secret] }).then(...verdict),
  "standardwebhooks from npm": async (call, secret) =>
    passes(() => new StandardWebhook(secret).verify(call.body.toString(), { ...call.headers })),
  "svix from npm": async (call, secret) =>
    passes(() => new SvixWebhook(secret).verify(call.body.toString(), { ...call.headers })),
  "the ten lines of the documentation": async (call, secret) => {
    const [program, ...args] = await tenLines();
    const header = call.headers["x-ya-signature"] ?? "";
    const { status, stderr } = spawnSync(program, [...args, header, secret], { input: call.body, encoding: "utf8" });
    if (stderr !== "" || (status !== 0 && status !== 1)) throw new Error(`ended with ${status}: ${stderr}`);
    return status === 0;
  },
} as const satisfies Record<string, Verifier>;

/** Who accepts the call, by name. */
export async function acceptedBy(call: RawCall, secret: string): Promise<readonly string[]> {
  const verdicts = Object.entries(VERIFIERS).map(async ([name, verify]) => [name, await verify(call, secret)] as const);
  return (await Promise.all(verdicts)).filter(([, isAccepted]) => isAccepted).map(([name]) => name);
}

const verdict = [() => true, () => false] as const;

function passes(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}

/** The program that stands on the page, written to a file as a reader would. */
async function tenLines(): Promise<readonly [string, ...string[]]> {
  const [block] = codeBlocks(PAGE, readFileSync(join(repositoryRoot, PAGE), "utf8")).filter(
    ({ language }) => language === "js",
  );
  const { js } = RUNNERS;
  if (block === undefined || js === undefined) throw new Error(`expected a verifier in JavaScript on ${PAGE}`);
  const folder = await mkdtemp(join(tmpdir(), "yagate-verifier-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return startable(js, block.text, folder);
}
