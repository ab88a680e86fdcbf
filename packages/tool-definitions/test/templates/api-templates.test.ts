import { restDefinitionSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { createHandlerUrlCheck } from "../../src/checks/handler-url-check.ts";
import { checkRestTool } from "../../src/rest/check-rest-tool.ts";
import { restParameters } from "../../src/rest/rest-parameters.ts";
import { API_TEMPLATES } from "../../src/templates/api-templates.ts";
import { installTemplate } from "../../src/templates/install-template.ts";

const tools = API_TEMPLATES.flatMap((template) => template.tools.map((tool) => ({ template, tool })));
const hostsOf = (urls: readonly { readonly url: string }[]) => [...new Set(urls.map(({ url }) => new URL(url).host))];

describe("templates", () => {
  it("have ids of their own, in order, and tools with names of their own", () => {
    const ids = API_TEMPLATES.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
    const names = tools.map(({ tool }) => tool.name);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(API_TEMPLATES.map((template) => [template.id, template] as const))(
    "of %s say where their facts come from, and bind their secret to the hosts of their tools",
    (_id, { source, credential, tools: own, settings }) => {
      expect(new URL(source).protocol).toBe("https:");
      if (credential !== null) expect(hostsOf(own)).toEqual(credential.hosts);
      const parameters = own.flatMap((tool) => tool.parameters.map(({ name }) => name));
      for (const { parameter } of settings) expect(parameters).toContain(parameter);
    },
  );

  it.each(tools.map((one) => [one.tool.name, one] as const))("of %s pass every check", async (_name, one) => {
    const { credential } = one.template;
    const tool = restDefinitionSchema.parse(
      credential === null ? one.tool : { ...one.tool, credential: "SERVICE_KEY" },
    );
    const findings = await checkRestTool(tool, "rest", {
      urlProblem: createHandlerUrlCheck({}),
      findSecret: async () => credential ?? undefined,
    });
    expect(findings).toEqual([]);
    for (const { name, in: place, description, value } of tool.parameters) {
      if (value === undefined) expect([name, place, description]).toEqual([name, place, expect.stringMatching(/\.$/)]);
    }
  });
});

describe("installing a template", () => {
  const twilio = API_TEMPLATES.find(({ id }) => id === "twilio");
  if (twilio === undefined) throw new Error("expected a template for Twilio");

  it("copies its tools, with a credential and fixed values", () => {
    const options = { credential: "TWILIO_KEY", values: { account_sid: "AC1", from: "+15005550006" } };
    const [send, list] = installTemplate(twilio, options);
    expect([send?.credential, list?.credential]).toEqual(["TWILIO_KEY", "TWILIO_KEY"]);
    const properties = [send, list].map((tool) => Object.keys(Object(restParameters(tool ?? raise())["properties"])));
    expect(properties).toEqual([
      ["to", "body"],
      ["to", "page_size"],
    ]);
    expect(twilio.tools[0]?.credential).toBeUndefined();
    send?.parameters.splice(0);
    expect(twilio.tools[0]?.parameters).not.toEqual([]);
  });

  it("takes only the tools that were asked for", () => {
    const names = installTemplate(twilio, { tools: ["twilio.list_messages"] }).map(({ name }) => name);
    expect(names).toEqual(["twilio.list_messages"]);
  });

  it.each([
    ["a tool that it has not", { tools: ["twilio.call"] }],
    ["a parameter that the chosen tools have not", { tools: ["twilio.list_messages"], values: { from: "+1" } }],
    ["a parameter of every object", { values: { toString: 1 } }],
  ])("refuses %s", (_case, options) => {
    expect(() => installTemplate(twilio, options)).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
  });
});

function raise(): never {
  throw new Error("expected a tool");
}
