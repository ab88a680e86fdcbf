import { isObject } from "@yagate/lib/json/json-object";

/** Returns a handler for Express that has this tool, to start from. */
export function toHandlerStub(definition: unknown): string {
  const field = (name: string) => (isObject(definition) ? Reflect.get(definition, name) : undefined);
  const name = JSON.stringify(field("name") ?? "my_tool");
  const description = JSON.stringify(field("description") ?? "");
  const parameters = JSON.stringify(field("parameters") ?? { type: "object" }, null, 2).replaceAll("\n", "\n  ");
  return [
    'import { createHandler, defineTool } from "@yagate/handler";',
    'import { toExpress } from "@yagate/handler/express";',
    'import express from "express";',
    "",
    "const tool = defineTool({",
    `  name: ${name},`,
    `  description: ${description},`,
    `  parameters: ${parameters},`,
    "  async execute(parameters) {",
    "    return { received: parameters };",
    "  },",
    "});",
    "",
    "const app = express();",
    "// Before any body parser: the signature covers the bytes that arrive.",
    'app.post("/tools", toExpress(createHandler({ tools: [tool] })));',
    "app.listen(3000);",
    "",
  ].join("\n");
}
