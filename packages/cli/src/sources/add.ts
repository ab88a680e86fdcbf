import { ApiError, type Yagate } from "@yagate/client";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import {
  type CreateToolSource,
  createToolSourceSchema,
  type ToolSource,
  toVisibleLine,
  type UpdateToolSource,
  YagateError,
} from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { checkedBody } from "../frame/checked-body.ts";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { toCredentialPair } from "../tools/credential-pairs.ts";
import { readDocumentSet } from "../tools/read-document-set.ts";
import { chooseTools } from "./choose-tools.ts";
import { deriveName } from "./derive-name.ts";
import { describeAccepted } from "./describe-accepted.ts";
import { describeChange } from "./describe-change.ts";
import { findSource } from "./find-source.ts";
import { type AuthOptions, readAuth } from "./read-auth.ts";
import { type AcceptableTool, accept, changesOf, howToAccept, isAcceptable } from "./review.ts";
import { readSideEffects } from "./side-effects.ts";
import { countsOf } from "./sources.ts";

/** Name of the signing secret that a source uses if it names no other. */
const DEFAULT_SECRET = "default";

interface AddSourceOptions extends AuthOptions {
  readonly name?: string;
  readonly kind?: string;
  readonly signingSecret?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly onChange?: string;
  readonly sideEffect?: readonly string[];
  readonly server?: string;
  /** The secrets for security schemes, each as `scheme=NAME`. */
  readonly credentialFor?: readonly string[];
}

/**
 * Creates a source, or reads it again if it exists with the same URL, then accepts the tools that the user chooses.
 *
 * @throws YagateError `INVALID_REQUEST`; `CONFLICT` if another source has the name.
 */
export async function addSource(invocation: Invocation, url: string, options: AddSourceOptions): Promise<void> {
  const { output } = invocation;
  const sideEffects = readSideEffects(options.sideEffect);
  const client = await invocation.client();
  const { source, isNew } = await makeSource(client, await bodyOf(url, options));
  const heading = toVisibleLine(`${source.name} ${isNew ? "was created" : "exists already"}: ${source.id}`);
  if (source.reason !== null) return printUnread(invocation, source, heading);
  const held = (await changesOf(client, source.id)).filter(isAcceptable);
  sideEffects.requireTools(held);
  const accepted = (source.tools ?? []).filter(({ isOffered }) => isOffered);
  const listing = [
    ...(await describeAccepted(client, source.id, accepted)),
    ...held.map((change) => describeChange(change)),
  ].join("\n\n");
  const { chosen, isAsked } = await choose(invocation, held, [heading, listing].join("\n\n"));
  const after = chosen.length === 0 ? source : await accept(client, source, chosen, sideEffects);
  const count = `${toVisibleLine(after.name)}: ${countsOf(after)}.`;
  const shown = isAsked ? [] : [heading, ...(listing === "" ? [] : [listing])];
  output.result(after, () => [...shown, count].join(listing === "" ? "\n" : "\n\n"));
  noteNext(
    invocation,
    after,
    held.filter((tool) => !chosen.includes(tool)),
  );
}

async function bodyOf(url: string, options: AddSourceOptions): Promise<CreateToolSource> {
  const { name = deriveName(url), kind = "handler", signingSecret, include, exclude, onChange } = options;
  const settings = { signingSecret, include, exclude, onChange, auth: readAuth(options) };
  if (name === undefined && URL.canParse(url)) {
    throw new YagateError("INVALID_REQUEST", "no name for the source can be derived from the URL: set one with --name");
  }
  const api = { server: options.server, credentials: credentialsOf(options) };
  const place = kind === "openapi" && !URL.canParse(url) ? await documentIn(url, options) : { url };
  return checkedBody(createToolSourceSchema, {
    name: name ?? "tools",
    kind,
    ...place,
    ...defined({ ...settings, ...api }),
  });
}

function credentialsOf({ credentialFor }: AddSourceOptions): Readonly<Record<string, string>> | undefined {
  return credentialFor === undefined ? undefined : Object.fromEntries(credentialFor.map(toCredentialPair));
}

/** Reads the OpenAPI document in a file, with the files to which it refers. */
async function documentIn(file: string, { name }: AddSourceOptions): Promise<object> {
  if (name === undefined) {
    throw new YagateError("INVALID_REQUEST", "expected a name for the source of the file: set one with --name");
  }
  const { openapi: document, ...rest } = await readDocumentSet(file);
  return { document, ...rest };
}

async function makeSource(
  client: Yagate,
  body: CreateToolSource,
): Promise<{ readonly source: ToolSource; readonly isNew: boolean }> {
  try {
    return { source: await client.sources.create(body), isNew: true };
  } catch (error) {
    if (!ApiError.is(error) || error.code !== "CONFLICT") throw error;
    const existing = await findSource(client, body.name).catch(() => undefined);
    if (existing === undefined) throw error;
    const document = documentOf(body);
    if (document !== undefined && existing.url === null) {
      return { source: await client.sources.update(existing.id, document), isNew: false };
    }
    if (existing.url !== body.url || existing.kind !== body.kind) throw conflictOf(existing, body, error);
    return { source: await client.sources.sync(existing.id), isNew: false };
  }
}

/** Returns the error for a new source whose name belongs to an existing one. */
function conflictOf({ name, kind, url }: ToolSource, body: CreateToolSource, cause: ApiError): YagateError {
  if (url !== null && url === body.url) {
    const message = `the tool source ${name} has this URL and the kind ${kind}, and the kind of a source cannot be changed`;
    const hint = `remove the source first, then add it again: ${commandName()} sources remove ${name}`;
    return new YagateError("CONFLICT", message, { hint, cause });
  }
  const message = `another tool source is named ${name}: ${url ?? "an uploaded document"}`;
  return new YagateError("CONFLICT", message, { hint: "set another name with --name", cause });
}

/** Returns the uploaded document of a new source; undefined if it has a URL. */
function documentOf(body: CreateToolSource): UpdateToolSource | undefined {
  if (body.kind !== "openapi" || body.document === undefined) return undefined;
  const { document, documents, documentName } = body;
  return { document, ...defined({ documents, documentName }) };
}

/** Chooses the tools to accept: all with `--yes`, those that the user names on a terminal, and none elsewhere. */
async function choose(
  invocation: Invocation,
  held: readonly AcceptableTool[],
  review: string,
): Promise<{ readonly chosen: readonly AcceptableTool[]; readonly isAsked: boolean }> {
  if (held.length === 0 || invocation.isAgreed) return { chosen: held, isAsked: false };
  const terminal = invocation.terminal();
  if (!terminal.isInteractive) return { chosen: [], isAsked: false };
  terminal.output.write(`${review}\n\n`);
  return { chosen: await chooseTools(held, terminal), isAsked: true };
}

/** Prints why the tools of a source could not be read, and what to do. */
export function printUnread({ output }: Invocation, source: ToolSource, heading: string): void {
  const { name, reason } = source;
  const failure = toVisibleLine(`Its tools could not be read: ${reason?.code}: ${reason?.message}`);
  output.result(source, () => `${heading}\n${failure}`);
  const next = { sign: `${commandName()} sources login ${name}`, sync: `${commandName()} sources sync ${name}` };
  if (needsSignIn(source)) output.note(`Sign in: ${next.sign}`);
  else if (source.kind === "handler" && source.status === "unauthorized")
    output.note(`Start the handler with ${secretOf(source)}, then: ${next.sync}`);
  else if (source.kind === "mcp" && source.auth === null && source.status === "unauthorized")
    output.note(
      `Store the server's key with: ${commandName()} secret set <secret> --host ${new URL(source.url ?? "").hostname}\nThen: ${commandName()} sources update ${name} --credential <secret>`,
    );
  else output.note(`Correct the reason, then: ${next.sync}`);
  process.exitCode = EXIT.answerIsNo;
}

/** Names the signing secret of a handler, and the variable from which it usually reads the secret. */
function secretOf({ signingSecret = DEFAULT_SECRET }: ToolSource): string {
  const secret =
    signingSecret === DEFAULT_SECRET ? "the gateway's signing secret" : `the signing secret ${signingSecret}`;
  return `${secret} in YAGATE_SIGNING_SECRET`;
}

function needsSignIn({ auth, status }: ToolSource): boolean {
  const oauth = isJsonObject(auth) ? auth["oauth"] : undefined;
  return status === "unauthorized" && isJsonObject(oauth) && oauth["grant"] === "authorization_code";
}

function noteNext({ output }: Invocation, { name }: ToolSource, held: readonly AcceptableTool[]): void {
  if (held.length > 0) {
    output.note(`Agents get tools only after they are accepted. ${howToAccept(name, held)}`);
    return;
  }
  output.note(`Agents use the tools with { "source": "${name}" } in their list of tools.`);
}
