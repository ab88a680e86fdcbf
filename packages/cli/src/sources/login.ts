import { ApiError, type Yagate } from "@yagate/client";
import { type StartedLogin, type ToolSource, toVisibleLine } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { askForCode } from "./ask-code.ts";
import { findSource } from "./find-source.ts";
import { countsOf } from "./sources.ts";

interface LoginOptions {
  readonly code?: string;
}

/**
 * Signs in to the MCP server of a source. On a terminal, it waits for the code that the browser shows; elsewhere, a
 * second run confirms the sign-in with `--code`.
 *
 * @throws YagateError `CANCELLED` if no code is entered; ApiError.
 */
export async function loginToSource(invocation: Invocation, name: string, { code }: LoginOptions): Promise<void> {
  const { output } = invocation;
  const client = await invocation.client();
  const source = await findSource(client, name);
  if (code !== undefined) return printSignedIn(invocation, await client.sources.confirmLogin(source.id, { code }));
  const started = await client.sources.login(source.id);
  const terminal = invocation.terminal();
  if (!terminal.isInteractive) {
    output.result(started, () => started.authorizationUrl);
    output.note(
      `Open the URL in a browser, sign in, then enter the code that it shows: ${commandName()} sources login ${source.name} --code <code>`,
    );
    return;
  }
  terminal.output.write(`${intro(started)}\n\n`);
  const signedIn = await askForCode((entered) => tryCode(client, source.id, entered), terminal);
  return printSignedIn(invocation, signedIn);
}

function intro({ authorizationUrl, expiresAt }: StartedLogin): string {
  return [
    "Open this URL in a browser and sign in:",
    "",
    `  ${toVisibleLine(authorizationUrl)}`,
    "",
    `The browser then shows a code. Enter it here before ${expiresAt}.`,
  ].join("\n");
}

async function tryCode(client: Yagate, sourceId: string, code: string): Promise<ToolSource | undefined> {
  try {
    return await client.sources.confirmLogin(sourceId, { code });
  } catch (error) {
    if (ApiError.is(error) && error.code === "INVALID_REQUEST") return undefined;
    throw error;
  }
}

function printSignedIn({ output }: Invocation, source: ToolSource): void {
  const { reason } = source;
  const name = toVisibleLine(source.name);
  if (reason === null) {
    output.result(source, () => `Signed in to ${name}: ${countsOf(source)}.`);
    return;
  }
  const failure = toVisibleLine(`Its tools could not be read: ${reason.code}: ${reason.message}`);
  output.result(source, () => `Signed in to ${name}.\n${failure}`);
  process.exitCode = EXIT.answerIsNo;
}
