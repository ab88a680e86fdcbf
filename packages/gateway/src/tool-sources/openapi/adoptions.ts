import { type AdoptTools, type FieldError, restToolSchema, YagateError } from "@yagate/protocol";
import type { ToolRow, ToolSourceRow, ToolSourceStore, ToolStore } from "@yagate/store/port";
import { restSideEffect } from "@yagate/tool-definitions/rest/rest-side-effect";
import type { WantedAdoption } from "@yagate/tool-sources/plan-adoption";
import { InvalidRequestError } from "../../errors/request-errors.ts";

/** Why a tool cannot follow an operation. */
interface Refusal {
  readonly code: string;
  readonly message: string;
}

/**
 * Creates the function that reads the workspace tools that are to follow operations of a source.
 *
 * @throws InvalidRequestError with a field for each tool that cannot follow an operation; YagateError `CONFLICT` if the
 *   source is not an OpenAPI document.
 */
export function createReadAdoptions({
  store,
  tools: workspaceTools,
}: {
  readonly store: Pick<ToolSourceStore, "findAdopter">;
  readonly tools: Pick<ToolStore, "find">;
}) {
  async function read(
    { workspaceId, id }: ToolSourceRow,
    { toolId, name }: AdoptTools["tools"][number],
  ): Promise<WantedAdoption | Refusal> {
    const row = await workspaceTools.find(workspaceId, toolId);
    if (row === undefined || row.archivedAt !== null) {
      return { code: "UNKNOWN_TOOL", message: "expected a tool of the workspace" };
    }
    const adopter = await store.findAdopter(toolId);
    if (adopter !== undefined && adopter.sourceId !== id) {
      const message = `the tool already follows ${adopter.name} of the tool source ${adopter.sourceName}`;
      return { code: "TOOL_TAKEN", message };
    }
    return toWanted(row, name);
  }

  return async (source: ToolSourceRow, { tools }: AdoptTools): Promise<readonly WantedAdoption[]> => {
    if (source.kind !== "openapi") {
      throw new YagateError("CONFLICT", "expected a source of the kind openapi: only operations can be adopted");
    }
    const wanted: WantedAdoption[] = [];
    const errors: FieldError[] = [];
    for (const [index, tool] of tools.entries()) {
      const found = await read(source, tool);
      if ("code" in found) errors.push({ path: `tools[${index}].toolId`, ...found });
      else wanted.push(found);
    }
    if (errors.length > 0) throw new InvalidRequestError(errors);
    return wanted;
  };
}

function toWanted({ tool }: ToolRow, name: string | undefined): WantedAdoption | Refusal {
  const { id: toolId, version, kind, status, definition } = tool;
  if (kind !== "rest") return { code: "NOT_A_REST_TOOL", message: `expected a REST tool, not a ${kind} tool` };
  const parsed = restToolSchema.safeParse(definition);
  if (status !== "created" || !parsed.success) {
    return { code: "NOT_FINALIZED", message: `expected a finalized tool; ${tool.name} is ${status}` };
  }
  const { rest } = parsed.data;
  // The operations of documents declare their side effect in the same way.
  const sideEffect = restSideEffect(rest);
  return { toolId, version, name, rest: sideEffect === null ? rest : { ...rest, sideEffect } };
}
