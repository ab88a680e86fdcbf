import { handlerErrorCodeSchema, MANIFEST_VERSION, type ToolManifest } from "@yagate/protocol/calls";
import type { core } from "zod";
import { isZodSchema, type Tool } from "../tool.ts";
import { describeTool } from "./describe-tool.ts";
import { KIT_VERSION } from "./kit-version.ts";

/**
 * Describes the tools of a handler, in their order.
 *
 * @throws {@link YagateError} `INVALID_REQUEST`, with the tool's name, if JSON Schema cannot express its parameters.
 */
export function toManifest(tools: Iterable<Tool>): ToolManifest {
  const list = [...tools];
  const schemas = list.flatMap(({ parameters }) => (isZodSchema(parameters) ? [parameters] : []));
  return {
    protocolVersion: MANIFEST_VERSION,
    kitVersion: KIT_VERSION,
    ...(schemas.length > 0 && { schemaGenerator: generatorOf(schemas) }),
    tools: list.map(describeTool),
  };
}

/**
 * Names the versions of zod that generate the schemas: that of the kit, and those of the tools' own copies, which may
 * differ. The same schema yields different JSON Schemas in different versions.
 */
function generatorOf(schemas: readonly core.$ZodType[]): string {
  const versions = [handlerErrorCodeSchema, ...schemas].map(({ _zod: { version } }) =>
    [version.major, version.minor, version.patch].join("."),
  );
  return `zod ${[...new Set(versions)].join(", ")}`;
}
