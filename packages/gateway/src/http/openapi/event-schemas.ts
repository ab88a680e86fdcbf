import { receivedEventSchema, textDeltaSchema } from "@yagate/protocol";
import * as z from "zod";
import { addComponent, type Components, type Json, toComponent, toSchema } from "./json-schema.ts";

const NAME = "ExecutionEvent";

const memberSchema = z.looseObject({ properties: z.looseObject({ type: z.looseObject({ const: z.string() }) }) });
const unionSchema = z.union([
  z.looseObject({ oneOf: z.array(z.unknown()) }).transform(({ oneOf }) => oneOf),
  z.looseObject({ anyOf: z.array(z.unknown()) }).transform(({ anyOf }) => anyOf),
]);

/**
 * Adds the data of an execution's event stream to the components and returns a reference to it. Each event type is a
 * named schema, so that generated clients can distinguish the types by `type`.
 */
export function toEventSchema(components: Components): Json {
  if (components[NAME] === undefined) {
    const types = [receivedEventSchema, textDeltaSchema].flatMap((schema) =>
      membersOf(toSchema(schema, "output", components)),
    );
    const mapping: Record<string, string> = {};
    for (const [type, member] of types) {
      const name = `${toPascalCase(type)}Event`;
      addComponent(components, name, member);
      mapping[type] = `#/components/schemas/${name}`;
    }
    addComponent(components, NAME, {
      description:
        "The `data` of one server-sent event. A newer gateway may send other types of events; ignore types that your code does not know.",
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: "type", mapping },
    });
  }
  return toComponent(NAME);
}

/** Returns the object schemas with a known `type`, at any depth of nested unions. */
function membersOf(schema: unknown): readonly (readonly [string, unknown])[] {
  const member = memberSchema.safeParse(schema);
  if (member.success) return [[member.data.properties.type.const, schema]];
  return unionSchema.catch([]).parse(schema).flatMap(membersOf);
}

/** Converts `tool_call.failed` to `ToolCallFailed`. */
function toPascalCase(type: string): string {
  return type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
