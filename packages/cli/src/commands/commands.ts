import type { CommandSpec } from "../frame/command-spec.ts";
import { agents } from "./agents.ts";
import { approvals } from "./approvals.ts";
import { audit } from "./audit.ts";
import { calls } from "./calls.ts";
import { capabilities } from "./capabilities.ts";
import { completion } from "./completion.ts";
import { conformance } from "./conformance.ts";
import { doctor } from "./doctor.ts";
import { egress } from "./egress.ts";
import { endpoints } from "./endpoints.ts";
import { evaluate } from "./eval.ts";
import { exec } from "./exec.ts";
import { executions } from "./executions.ts";
import { dev, serve } from "./gateway.ts";
import { help } from "./help.ts";
import { init } from "./init.ts";
import { inputs } from "./inputs.ts";
import { integrations } from "./integrations.ts";
import { intents } from "./intents.ts";
import { keys } from "./keys.ts";
import { listen } from "./listen.ts";
import { login } from "./login.ts";
import { backup, migrate, migrateStore } from "./maintenance.ts";
import { mcp } from "./mcp.ts";
import { open } from "./open.ts";
import { providers } from "./providers.ts";
import { receipt } from "./receipt.ts";
import { route } from "./route.ts";
import { secret } from "./secret.ts";
import { signingSecrets } from "./signing-secrets.ts";
import { sources } from "./sources.ts";
import { toolkits } from "./toolkits.ts";
import { tools } from "./tools.ts";
import { trigger } from "./trigger.ts";
import { usage } from "./usage.ts";
import { verify } from "./verify.ts";
import { version } from "./version.ts";
import { workspaces } from "./workspaces.ts";

/** All commands, in the order of the help: the five most common ones come first. */
export const COMMANDS: readonly CommandSpec[] = [
  ...[dev, agents, exec, executions, tools],
  ...[serve, doctor, migrate, migrateStore, backup, egress],
  ...[sources, toolkits, intents, capabilities, integrations, secret, providers],
  ...[keys, signingSecrets, workspaces, endpoints, audit, usage],
  ...[calls, approvals, inputs, receipt, open, mcp],
  evaluate,
  route,
  ...[init, listen, trigger, verify, conformance],
  ...[login, completion, version, help],
];
