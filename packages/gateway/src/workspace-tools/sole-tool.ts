import type { NewId } from "@yagate/lib/ids/ids";
import { type Agent, DEFAULT_LIMITS } from "@yagate/protocol";
import type { Tool, Toolset } from "../tools/port.ts";
import type { CreateToolset } from "../tools/toolset/toolset.ts";
import { type CompleteWorkspaceDefinition, nameOf } from "./complete-definition.ts";
import { soleAgent } from "./tool-check.ts";

/** A tool that is ready to run, with the agent to which it belongs. */
export interface ReadyTool {
  readonly agent: Agent;
  readonly tool: Tool;
  readonly toolset: Toolset;
}

/** Makes a tool ready to run without a saved agent. */
export type MakeSoleTool = (definition: CompleteWorkspaceDefinition) => Promise<ReadyTool>;

export interface SoleToolOptions {
  readonly createToolset: CreateToolset;
  readonly now: () => number;
  readonly newId: NewId;
}

export function createSoleTools({ createToolset, now, newId }: SoleToolOptions): MakeSoleTool {
  return async (definition) => {
    const at = new Date(now()).toISOString();
    const agent: Agent = {
      ...{ id: newId("agent"), version: 1, name: "", systemPrompt: "", limits: DEFAULT_LIMITS },
      ...soleAgent(definition),
      ...{ createdAt: at, updatedAt: at },
    };
    const toolset = await createToolset(agent);
    const tool = toolset.tools.get(nameOf(definition));
    if (tool === undefined) throw new Error("expected a tool with the name in its definition");
    return { agent, tool, toolset };
  };
}
