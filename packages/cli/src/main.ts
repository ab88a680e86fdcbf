#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { dev } from "./dev.ts";
import { fail } from "./fail.ts";
import { serve } from "./serve.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const program = new Command("yagate")
  .description("Run LLM agents whose tools are signed webhooks.")
  .version(version)
  .showHelpAfterError();

program
  .command("dev")
  .description(
    "Start a gateway for this machine: makes keys, prints how to use them, and lets tools live on loopback addresses.",
  )
  .option("-p, --port <port>", "port to listen on; the next free one after 4820 otherwise")
  .option("-d, --data-dir <folder>", "where the journal is kept (default: ./.yagate)")
  .action((options) => dev(options).catch(fail));

program
  .command("serve")
  .description("Start a gateway from the environment. It needs YAGATE_API_KEY and YAGATE_MASTER_KEYS.")
  .addHelpText(
    "after",
    `
Make the two once and keep them where your secrets are:
  export YAGATE_API_KEY="yk_$(openssl rand -hex 32)"
  export YAGATE_MASTER_KEYS="k1:$(openssl rand -base64 32)"

Also read: YAGATE_PORT, YAGATE_HOST, YAGATE_DATA_DIR, YAGATE_ALLOW_CIDRS, YAGATE_ALLOW_PORTS, YAGATE_PUBLIC_URL,
YAGATE_SIGNING_SECRET, YAGATE_MAX_CONCURRENT_EXECUTIONS, YAGATE_DRAIN_MS, YAGATE_LOG_LEVEL, and the model providers'
own variables: OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY.`,
  )
  .action(() => serve().catch(fail));

await program.parseAsync();
