import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { problemOf } from "./support/agents.ts";
import { startApp } from "./support/app.ts";

const app = await startApp();
afterAll(() => app.stop());

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const paths = [...Map.groupBy(app.composed.routes, ({ path }) => path)].map(([path, routes]) => ({
  path,
  allowed: routes.map(({ method }) => method.toUpperCase()),
}));
const wrong = paths.flatMap(({ path, allowed }) =>
  METHODS.filter((method) => !allowed.includes(method)).map((method) => ({ method, path, allowed })),
);

it("a problem links to its page where the operator has published the docs", async () => {
  const linked = await startApp({ app: () => ({ docsUrl: "https://docs.example/yagate/" }) });
  onTestFinished(() => linked.stop());
  expect(problemOf(await linked.call("getExecution", { params: { id: "one" } }))).toMatchObject({
    type: "urn:yagate:error:NOT_FOUND",
    docs: "https://docs.example/yagate/errors/not_found/",
  });
  expect(problemOf(await app.call("getExecution", { params: { id: "one" } }))).not.toHaveProperty("docs");
});

describe("a method that a route does not have", () => {
  it.each(wrong)("is 405 with Allow: $method $path", async ({ method, path, allowed }) => {
    const answer = await fetch(`${app.url}${path.replaceAll(/:\w+/g, "one")}`, { method });
    expect(answer.status).toBe(405);
    const allow = answer.headers.get("allow")?.split(", ") ?? [];
    expect(allow.filter((name) => name !== "HEAD").toSorted()).toEqual(allowed.toSorted());
    expect(allow.includes("HEAD")).toBe(allowed.includes("GET"));
    expect(await answer.json()).toMatchObject({
      ...{ type: "urn:yagate:error:METHOD_NOT_ALLOWED", code: "METHOD_NOT_ALLOWED", status: 405 },
    });
  });

  it("is 404 where there is no route at all", async () => {
    expect((await fetch(`${app.url}/v1/no-such-route`, { method: "PATCH" })).status).toBe(404);
  });
});
