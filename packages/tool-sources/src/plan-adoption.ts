import { compileTool } from "./compile-tool.ts";
import type { CompileSettings, KnownTool, RawOperation } from "./port.ts";

/** A workspace tool that is to follow an operation of a document. */
export interface WantedAdoption {
  readonly toolId: string;
  readonly version: number;
  /** The published name of the operation; undefined: the one that matches. */
  readonly name?: string | undefined;
  readonly rest: RawOperation["rest"];
}

/** Why a workspace tool cannot follow an operation. */
export interface AdoptionFault {
  /** The index in the request. */
  readonly index: number;
  readonly field: "toolId" | "name";
  readonly code: "NO_OPERATION" | "AMBIGUOUS_OPERATION" | "OPERATION_TAKEN" | "TOOL_TAKEN" | "ALREADY_ACCEPTED";
  readonly message: string;
}

/** A workspace tool, at one version, and the published name of the operation that it follows from now on. */
interface Adoption {
  readonly toolId: string;
  readonly name: string;
  readonly version: number;
}

/** The adoptions to make, or why none of them can be made. */
export type PlannedAdoption =
  | {
      readonly adopted: readonly Adoption[];
      /** The new states of the source's tools. */
      readonly tools: readonly KnownTool[];
    }
  | { readonly faults: readonly AdoptionFault[] };

/**
 * Makes workspace tools follow operations, all or none of them. The definition of the workspace tool becomes the accepted
 * one, so every difference to the document holds the operation.
 *
 * @param adopted - the ids of the workspace tools that follow operations already, by the published names.
 */
export function planAdoption(
  known: readonly KnownTool[],
  adopted: ReadonlyMap<string, string>,
  wanted: readonly WantedAdoption[],
  settings: CompileSettings,
): PlannedAdoption {
  const operations = new Map(
    known.flatMap((tool) => {
      const raw = tool.published?.raw;
      return raw !== undefined && "rest" in raw ? [[tool.name, { tool, raw }] as const] : [];
    }),
  );
  const faults: AdoptionFault[] = [];
  const toolIds = new Map(adopted);
  const names = new Map([...adopted].map(([name, toolId]) => [toolId, name]));
  const links: Adoption[] = [];
  const tools: KnownTool[] = [];
  for (const [index, one] of wanted.entries()) {
    const found = findOperation(
      [...operations.values()].map(({ raw }) => raw),
      one,
    );
    const operation = typeof found === "string" ? operations.get(found) : undefined;
    if (operation === undefined || typeof found !== "string") {
      if (typeof found !== "string") faults.push({ index, ...found });
      continue;
    }
    const { tool, raw } = operation;
    const { name } = tool;
    const refuse = (code: AdoptionFault["code"], message: string) =>
      faults.push({ index, field: "toolId", code, message });
    const other = names.get(one.toolId);
    const holder = toolIds.get(name);
    const accepted = compileTool({ ...raw, rest: { ...one.rest, name } }, settings);
    if (other !== undefined && other !== name) refuse("TOOL_TAKEN", `the tool already follows ${other}`);
    else if (holder !== undefined && holder !== one.toolId)
      refuse("OPERATION_TAKEN", `${holder} already follows ${name}`);
    else if (holder !== undefined) continue;
    else if (tool.accepted !== null && tool.accepted.hash !== accepted.hash) {
      refuse("ALREADY_ACCEPTED", `another definition of ${name} is accepted: revoke it first`);
    } else {
      links.push({ toolId: one.toolId, name, version: one.version });
      tools.push({ name, published: tool.published, accepted });
      toolIds.set(name, one.toolId);
      names.set(one.toolId, name);
    }
  }
  return faults.length > 0 ? { faults } : { adopted: links, tools };
}

/** What identifies an operation, from the most to the least specific. */
const KEYS: readonly ((rest: RawOperation["rest"]) => string)[] = [
  ({ method, url }) => `${method} ${url}`,
  // The server, and the names of the parameters in the path, may have been changed by hand.
  ({ method, url }) => `${method} ${url.replace(/^[a-z]+:\/\/[^/]+/i, "").replaceAll(/\{[^}]*\}/g, "{}")}`,
  ({ name }) => name,
];

/** Returns the published name of the operation that a workspace tool was made from. */
function findOperation(
  operations: readonly RawOperation[],
  { name, rest }: WantedAdoption,
): string | Pick<AdoptionFault, "field" | "code" | "message"> {
  if (name !== undefined) {
    if (operations.some((operation) => operation.name === name)) return name;
    return { field: "name", code: "NO_OPERATION", message: `expected the published name of an operation, not ${name}` };
  }
  for (const keyOf of KEYS) {
    const key = keyOf(rest);
    const found = operations.filter((operation) => keyOf(operation.rest) === key);
    const [first, second] = found;
    if (first === undefined) continue;
    if (second === undefined) return first.name;
    const message = `several operations match ${rest.name}: set name to one of ${found
      .slice(0, MAX_NAMED)
      .map((each) => each.name)
      .join(", ")}`;
    return { field: "toolId", code: "AMBIGUOUS_OPERATION", message };
  }
  const message = `no operation has the method and URL of ${rest.name}: set name to the operation that it was made from`;
  return { field: "toolId", code: "NO_OPERATION", message };
}

const MAX_NAMED = 5;
