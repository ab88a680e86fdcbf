import type { RestDefinition } from "@yagate/protocol";
import { modelDescriptionOfRest } from "@yagate/tool-definitions/model-description";
import { compileRestTool } from "@yagate/tool-definitions/rest/compile-rest-tool";
import { restParameters } from "@yagate/tool-definitions/rest/rest-parameters";
import { restSideEffect } from "@yagate/tool-definitions/rest/rest-side-effect";
import { toRequestTool } from "../http/executable-request.ts";
import type { NetworkTool } from "../http/network-tool.ts";
import type { Tool } from "../port.ts";

/**
 * Returns the request of a REST tool.
 * @param definition - a definition in which `checkRestTool` found no error.
 */
export function restRequest(definition: RestDefinition): NetworkTool {
  const { name, credential } = definition;
  return {
    name,
    template: compileRestTool(definition),
    credentialOf: () => credential,
    needsCredential: false,
    isPrimitive: false,
    destination: "author",
    version: definition,
  };
}

/** Converts a REST tool of an agent to a tool that is ready to run. */
export function toRestTool(definition: RestDefinition, owner: Parameters<typeof toRequestTool>[2]): Promise<Tool> {
  const { risk, approval, trusted: isTrusted } = definition;
  return toRequestTool(
    restRequest(definition),
    {
      description: modelDescriptionOfRest(definition),
      parameters: restParameters(definition),
      sideEffect: restSideEffect(definition),
      risk,
      approval,
      isTrusted,
      options: definition,
    },
    owner,
  );
}
