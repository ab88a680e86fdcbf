import { defined } from "@yagate/lib/objects/defined";
import { type JsonValue, type RestDefinition, YagateError } from "@yagate/protocol";
import type { ApiTemplate } from "./api-template.ts";

export interface InstallOptions {
  /** Names of the tools to install; default: all of them. */
  readonly tools?: readonly string[];
  /** Name of the secret to set as the tools' credential. */
  readonly credential?: string;
  /** Fixed values by parameter name, for all selected tools that have such a parameter. */
  readonly values?: Readonly<Record<string, JsonValue>>;
}

/**
 * Returns copies of a template's definitions, to be saved and edited. They are checked when they are saved, like other
 * definitions.
 *
 * @throws YagateError `INVALID_REQUEST` for a tool or a parameter that the template does not contain.
 */
export function installTemplate(template: ApiTemplate, options: InstallOptions = {}): readonly RestDefinition[] {
  const { tools: wanted = template.tools.map(({ name }) => name), credential, values = {} } = options;
  const unknown = wanted.find((name) => !template.tools.some((tool) => tool.name === name));
  if (unknown !== undefined) {
    throw new YagateError("INVALID_REQUEST", `tools: expected tools of the template ${template.id}, not ${unknown}`);
  }
  const chosen = structuredClone(template.tools.filter(({ name }) => wanted.includes(name)));
  for (const name of Object.keys(values)) {
    if (chosen.some(({ parameters }) => parameters.some((one) => one.name === name && one.value === undefined)))
      continue;
    const message = `values: expected values for parameters of the selected tools that are not yet fixed, not for ${name}`;
    throw new YagateError("INVALID_REQUEST", message);
  }
  return chosen.map((tool) => ({
    ...tool,
    ...defined({ credential }),
    parameters: tool.parameters.map((parameter) => {
      const value = Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined;
      return value === undefined || parameter.value !== undefined ? parameter : { ...parameter, value };
    }),
  }));
}
