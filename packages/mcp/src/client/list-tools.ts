import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { listShapeProblems } from "@yagate/lib/json/json-shape";
import { defined } from "@yagate/lib/objects/defined";
import { createRedaction, type Redaction } from "@yagate/lib/redaction/redaction";
import { cutText } from "@yagate/lib/text/cut-text";
import {
  type JsonValue,
  MAX_MANIFEST_DESCRIPTION_BYTES,
  MAX_MANIFEST_SCHEMA_BYTES,
  MAX_MANIFEST_SCHEMA_DEPTH,
  MAX_TOOLS_PER_SOURCE,
  removeInvisible,
  YagateError,
} from "@yagate/protocol";
import * as z from "zod";
import { BAD_REQUEST, brokenStream, LAST_EVENT_MS, statusOf, toSourceError } from "./failures.ts";
import { headerMappingFault } from "./header-mapping.ts";
import { openSession, type Session } from "./open-session.ts";
import type { EraVerdict, ListedMcpTool, McpEndpoint, McpListing, SkippedMcpTool } from "./port.ts";

/** Maximum size of all pages of a list together, in bytes: 8 MiB. */
export const MAX_LIST_BYTES = 8_388_608;
/** Maximum number of pages of a list. */
export const MAX_LIST_PAGES = 100;

export interface ListOptions {
  readonly verdict?: EraVerdict | undefined;
  /** Ends the list, for example after the time that a sync may take. */
  readonly signal: AbortSignal;
  /** Maximum time in ms for each request. */
  readonly timeoutMs: number;
  /**
   * Returns the redaction of the credentials that were sent. Called when the list is complete, because a token may be
   * renewed during the requests. Default: nothing is removed.
   */
  readonly redactionNow?: () => Redaction;
}

const pageSchema = z.looseObject({ nextCursor: z.string().optional() });
const listedSchema = z.object({
  name: z.string().min(1).max(200),
  description: z.string().default(""),
  inputSchema: z.looseObject({ type: z.literal("object") }),
  outputSchema: z.looseObject({}).optional(),
  annotations: z.looseObject({}).optional(),
});

/**
 * Lists the tools of a server, page by page, without credentials that the server repeats. A tool that cannot be used is
 * skipped; a list that exceeds a limit fails.
 *
 * @throws YagateError `SOURCE_UNREACHABLE`, `SOURCE_UNAUTHORIZED`, or `MANIFEST_INVALID` past a limit.
 */
export async function listMcpTools(endpoint: McpEndpoint, options: ListOptions): Promise<McpListing> {
  try {
    return await listOnce(endpoint, options).catch((error: unknown) => {
      // A server that has changed its revisions rejects the requests of the others, so it is asked which it supports.
      if (options.verdict === undefined || statusOf(error) !== BAD_REQUEST) throw error;
      return listOnce(endpoint, { ...options, verdict: undefined });
    });
  } catch (error) {
    throw toSourceError(error);
  }
}

/** Lists the tools over one connection. @throws the error of the connection, of a limit or of the library. */
async function listOnce(endpoint: McpEndpoint, options: ListOptions): Promise<McpListing> {
  let failure: unknown;
  // The library does not pass on every failure of a response, so the first one is kept.
  const fetch: McpEndpoint["fetch"] = async (...request) => {
    try {
      return await endpoint.fetch(...request);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  const { verdict, timeoutMs, redactionNow = () => createRedaction([]) } = options;
  const broken = new AbortController();
  const signal = AbortSignal.any([options.signal, broken.signal]);
  const progress = { pages: 0 };
  const onStreamEnd = (error: unknown) => {
    const { pages } = progress;
    const end = () => {
      if (progress.pages !== pages) return;
      failure ??= brokenStream(error);
      broken.abort();
    };
    setTimeout(end, LAST_EVENT_MS).unref();
  };
  let session: Session | undefined;
  try {
    session = await openSession({
      endpoint: { ...endpoint, fetch },
      maxBytes: MAX_LIST_BYTES,
      verdict,
      signal,
      timeoutMs,
      onStreamEnd,
    });
    const listed = await readPages(session, { signal, timeoutMs, progress });
    return { ...select(await withoutCredentials(listed, redactionNow())), verdict: session.verdict };
  } catch (error) {
    throw failure ?? error;
  } finally {
    await session?.close();
  }
}

interface PageOptions extends Pick<ListOptions, "signal" | "timeoutMs"> {
  /** The number of pages that have arrived. */
  readonly progress: { pages: number };
}

async function readPages(
  { client, transport }: Session,
  { signal, timeoutMs, progress }: PageOptions,
): Promise<readonly JsonValue[]> {
  const listed = takeTools(transport);
  let cursor: string | undefined;
  for (let page = 0; page < MAX_LIST_PAGES; page += 1) {
    const request = { method: "tools/list", params: defined({ cursor }) };
    const { nextCursor } = await client.request(request, pageSchema, { signal, timeout: timeoutMs });
    progress.pages += 1;
    if (listed.length > MAX_TOOLS_PER_SOURCE) throw tooMuch(`at most ${MAX_TOOLS_PER_SOURCE} tools`);
    if (nextCursor === undefined) return listed;
    cursor = nextCursor;
  }
  throw tooMuch(`at most ${MAX_LIST_PAGES} pages`);
}

/**
 * Takes the tools out of the pages that a connection receives, before the library reads them: it would reject a complete
 * page for one invalid tool.
 */
function takeTools(transport: Session["transport"]): readonly JsonValue[] {
  const taken: JsonValue[] = [];
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    const page = "result" in message ? message.result : {};
    const tools = page["tools"];
    if (!Array.isArray(tools)) return onmessage?.(message);
    for (const tool of tools) taken.push(tool);
    onmessage?.({ ...message, result: { ...page, tools: [] } });
  };
  return taken;
}

/** An entry of a list without credentials. */
interface CleanEntry {
  readonly entry: JsonValue;
  /** Whether the name of the tool contained a credential. The server would not recognise the name without it. */
  readonly hadSecretName: boolean;
}

async function withoutCredentials(listed: readonly JsonValue[], redaction: Redaction): Promise<readonly CleanEntry[]> {
  const clean: CleanEntry[] = [];
  for (const each of listed) {
    // A list may have 8 MiB, so other requests run between two tools.
    await yieldToEventLoop();
    const entry = redaction.json(each);
    clean.push({ entry, hadSecretName: nameOf(entry) !== nameOf(each) });
  }
  return clean;
}

function select(listed: readonly CleanEntry[]): Pick<McpListing, "tools" | "skipped"> {
  const tools = new Map<string, ListedMcpTool>();
  const skipped: SkippedMcpTool[] = [];
  for (const { entry, hadSecretName } of listed) {
    const parsed = listedSchema.safeParse(entry);
    if (!parsed.success) {
      skipped.push({ name: shownName(entry), reason: "expected a name and an inputSchema of type object" });
      continue;
    }
    const tool = toListed(parsed.data);
    const fault = hadSecretName
      ? "the name contains the credential of the source"
      : (nameFault(tool.name, tools) ?? headerMappingFault(tool.parameters));
    if (fault === undefined) tools.set(tool.name, tool);
    else skipped.push({ name: shownName(entry), reason: fault });
  }
  return { tools: [...tools.values()], skipped };
}

function nameFault(name: string, tools: ReadonlyMap<string, unknown>): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(name)) return "expected a name of visible ASCII characters";
  if (tools.has(name)) return "an earlier tool of the list has the same name";
  return undefined;
}

function toListed({ inputSchema, ...tool }: z.output<typeof listedSchema>): ListedMcpTool {
  if (Buffer.byteLength(tool.description) > MAX_MANIFEST_DESCRIPTION_BYTES) {
    throw tooMuch(`descriptions of at most ${MAX_MANIFEST_DESCRIPTION_BYTES} bytes`);
  }
  const limits = { maxDepth: MAX_MANIFEST_SCHEMA_DEPTH, maxCharacters: MAX_MANIFEST_SCHEMA_BYTES };
  for (const schema of [inputSchema, tool.outputSchema, tool.annotations]) {
    const [problem] = schema === undefined ? [] : listShapeProblems(schema, limits);
    if (problem === undefined) continue;
    throw tooMuch(`schemas of at most ${MAX_MANIFEST_SCHEMA_BYTES} bytes and ${MAX_MANIFEST_SCHEMA_DEPTH} levels`);
  }
  const { name, description, outputSchema, annotations } = tool;
  // The schemas are parsed JSON whose shape has just been checked.
  return {
    name,
    description,
    parameters: toJson(inputSchema),
    ...defined({ outputSchema: outputSchema && toJson(outputSchema), annotations: annotations && toJson(annotations) }),
  };
}

function toJson(value: Readonly<Record<string, unknown>>): ListedMcpTool["parameters"] {
  return JSON.parse(JSON.stringify(value));
}

function nameOf(entry: JsonValue): JsonValue | undefined {
  return isJsonObject(entry) ? entry["name"] : undefined;
}

function shownName(entry: JsonValue): string {
  const name = nameOf(entry);
  return typeof name === "string" ? cutText(removeInvisible(name), 100) : "";
}

function tooMuch(expected: string): YagateError {
  return new YagateError("MANIFEST_INVALID", `the MCP server's list of tools: expected ${expected}`);
}
