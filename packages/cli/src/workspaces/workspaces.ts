import type { Yagate } from "@yagate/client";
import { defined } from "@yagate/lib/objects/defined";
import { createWorkspaceSchema, updateWorkspaceSchema, workspaceIdSchema, YagateError } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { checkedBody } from "../frame/checked-body.ts";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";

interface PlanOption {
  readonly plan?: string;
}

/** Prints the workspaces that the key may see. */
export async function listWorkspaces(invocation: Invocation): Promise<void> {
  const workspaces = await (await invocation.client()).workspaces.list({ limit: 200 }).toArray();
  const rows = workspaces.map(({ id, name, plan, createdAt }) => [id, plan, createdAt, name]);
  invocation.output.result(workspaces, () => table([["ID", "PLAN", "CREATED", "NAME"], ...rows]));
}

/**
 * Creates a workspace and prints its first signing secret. Only the secret goes to standard output.
 *
 * @throws WrongFieldsError `INVALID_REQUEST` for an invalid name or plan.
 */
export async function createWorkspace(invocation: Invocation, name: string, { plan }: PlanOption): Promise<void> {
  const body = { name, ...defined({ plan }) };
  checkedBody(createWorkspaceSchema, body);
  const created = await (await invocation.client()).workspaces.create(body);
  const { output } = invocation;
  output.result(created, () => created.signingSecret);
  output.note(`${created.id}: the workspace ${created.name} was created with the plan ${created.plan}.`);
  output.note("Save its signing secret now; it will not be shown again.");
  output.note(
    `Try: ${commandName()} keys create ${created.name} --scopes agents,executions,admin --workspace ${created.id}`,
  );
}

/** Changes the plan of a workspace. */
export async function updateWorkspace(
  invocation: Invocation,
  nameOrId: string,
  { plan = "" }: PlanOption,
): Promise<void> {
  const change = checkedBody(updateWorkspaceSchema, { plan });
  const client = await invocation.client();
  const updated = await client.workspaces.update(await workspaceIdOf(client, nameOrId), change);
  invocation.output.done(updated, `${updated.name} (${updated.id}) has the plan ${updated.plan}.`);
}

/**
 * Returns the id of a workspace.
 *
 * @throws YagateError `NOT_FOUND` if no workspace has the name; `CONFLICT` if several have it.
 */
async function workspaceIdOf(client: Yagate, nameOrId: string): Promise<string> {
  if (workspaceIdSchema.safeParse(nameOrId).success) return nameOrId;
  const workspaces = await client.workspaces.list({ limit: 200 }).toArray();
  const found = workspaces.filter(({ name }) => name === nameOrId);
  const [workspace, other] = found;
  if (workspace === undefined) {
    throw new YagateError("NOT_FOUND", `no workspace is named ${nameOrId}`, {
      hint: `${commandName()} workspaces list`,
    });
  }
  if (other === undefined) return workspace.id;
  const hint = `use one of the ids: ${found.map(({ id }) => id).join(", ")}`;
  throw new YagateError("CONFLICT", `${found.length} workspaces are named ${nameOrId}`, { hint });
}
