import { createIntentSchema, type Intent, toVisibleLine, updateIntentSchema } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";
import { parseDefinition } from "./parse-definition.ts";

const DEFINITION = '{"description":"Looks up an order.","parameters":{"type":"object"}}';

/** Prints the intents of the gateway and of the workspace, ordered by name. */
export async function listIntents(invocation: Invocation): Promise<void> {
  const intents = await (await invocation.client()).intents.list({ limit: 200 }).toArray();
  const rows = intents.map(({ name, origin, description }) => [name, origin, description]);
  invocation.output.result(intents, () => table([["NAME", "ORIGIN", "DESCRIPTION"], ...rows]));
}

/** Prints one intent. */
export async function showIntent(invocation: Invocation, name: string): Promise<void> {
  const intent = await (await invocation.client()).intents.get(name);
  invocation.output.result(intent, () => describe(intent));
}

/** Creates an intent. @throws YagateError `INVALID_REQUEST`. */
export async function createIntent(invocation: Invocation, name: string, text: string): Promise<void> {
  const given = { text, name: "<definition>", example: DEFINITION, named: { name } };
  const definition = await parseDefinition(createIntentSchema, given);
  const created = await (await invocation.client()).intents.create(definition);
  invocation.output.done(created, `${name} was created.`);
}

/** Changes an intent. @throws YagateError `INVALID_REQUEST`. */
export async function updateIntent(invocation: Invocation, name: string, text: string): Promise<void> {
  const given = { text, name: "<change>", example: '{"description":"Looks up an order."}' };
  const change = await parseDefinition(updateIntentSchema, given);
  const updated = await (await invocation.client()).intents.update(name, change);
  invocation.output.done(updated, `${name} was updated.`);
}

/** Deletes an intent of the workspace. */
export async function deleteIntent(invocation: Invocation, name: string): Promise<void> {
  const client = await invocation.client();
  await invocation.confirm(toVisibleLine(`Delete the intent ${name}?`));
  await client.intents.delete(name);
  invocation.output.done({ type: "intent", name, deleted: true }, `${name} was deleted.`);
}

function describe({ name, origin, description, parameters }: Intent): string {
  return table([
    ["name", name],
    ["origin", origin],
    ["description", description],
    ["parameters", JSON.stringify(parameters)],
  ]);
}
