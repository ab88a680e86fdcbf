import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { COMMANDS } from "../../packages/cli/src/commands/commands.ts";
import { configFromEnvironment, VARIABLE_NAMES } from "../../packages/gateway/src/config/environment.ts";
import { createReadingBudget, readPart } from "../../packages/tool-definitions/src/openapi/read-document.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { workspacePackages } from "../../scripts/workspace-packages.ts";
import { tableRows } from "../docs-pages/page-tables.ts";

const FOLDER = join(repositoryRoot, "examples", "deployment");
const read = (...path: string[]) => readFileSync(join(repositoryRoot, ...path), "utf8");
const readExample = (name: string) => read("examples", "deployment", name);

const secretReference = z.union([z.string(), z.object({ source: z.string() }).transform(({ source }) => source)]);
const serviceSchema = z.looseObject({
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(secretReference).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
});
const composeSchema = z.looseObject({
  services: z.record(z.string(), serviceSchema),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
  volumes: z.record(z.string(), z.unknown()),
});

/** The variables in a text whose values come from files, and those whose values are in the text. */
function isKnownVariable(name: string): boolean {
  const plain = name.replace(/_FILE$/, "");
  return [...VARIABLE_NAMES.settings, ...VARIABLE_NAMES.providerKeys].includes(plain);
}

const readYaml = (file: string) => readPart(readExample(file), createReadingBudget());

const gatewayFiles = ["compose.yaml", "compose.postgres.yaml"];
const files = [...gatewayFiles, "compose.observability.yaml"];

it.each(files)("%s has only variables of the gateway, and defines each secret and volume that it uses", (file) => {
  const { services, secrets, volumes } = composeSchema.parse(readYaml(file));
  for (const { environment, secrets: used, volumes: mounts, depends_on: needed } of Object.values(services)) {
    const own = Object.keys(environment).filter((name) => /^(?:YAGATE_(?!SITE|UPSTREAMS)|DATABASE)/.test(name));
    expect(own.filter((name) => !isKnownVariable(name))).toEqual([]);
    expect(used.filter((name) => !Object.hasOwn(secrets, name))).toEqual([]);
    // Prometheus has the path in its configuration file.
    const configuration = used.includes("metrics_key") ? readExample("prometheus.yml") : "";
    const configured = [...configuration.matchAll(/credentials_file: (\S+)/g)].map(([, path = ""]) => path);
    const given = Object.values(environment).filter((value) => value.startsWith("/run/secrets/"));
    const paths = [...given, ...configured];
    expect(paths.toSorted()).toEqual(used.map((name) => `/run/secrets/${name}`).toSorted());
    const named = mounts.map((mount) => mount.split(":")[0] ?? "").filter((name) => !name.startsWith("."));
    expect(named.filter((name) => !Object.hasOwn(volumes, name))).toEqual([]);
    for (const mount of mounts.filter((text) => text.startsWith("."))) {
      expect(existsSync(join(FOLDER, mount.split(":")[0] ?? ""))).toBe(true);
    }
    const all = file === "compose.observability.yaml" ? [...Object.keys(services), "yagate"] : Object.keys(services);
    expect(Object.keys(needed).filter((name) => !all.includes(name))).toEqual([]);
  }
  const gateways = Object.values(services).filter(({ environment }) => "YAGATE_API_KEY_FILE" in environment);
  expect(gateways.length > 0).toBe(gatewayFiles.includes(file));
  for (const gateway of gateways) expect(gateway).toMatchObject({ user: "65532:65532", read_only: true });
});

it("the image packs every published package, and its commands exist", () => {
  const text = read("Dockerfile");
  const packed = [...text.matchAll(/-w packages\/([\w-]+)/g)].map(([, name]) => name);
  expect(packed.toSorted()).toEqual(
    workspacePackages()
      .map(({ folder }) => folder.split(/[/\\]/).at(-1))
      .toSorted(),
  );
  const { bin } = z
    .object({ bin: z.object({ yagate: z.string() }) })
    .parse(JSON.parse(read("packages/cli/package.json")));
  const programs = [...text.matchAll(/"\/app\/node_modules\/@yagate\/cli\/([^"]+)"/g)].map(([, path]) => `./${path}`);
  expect(programs).toEqual([bin.yagate, bin.yagate]);
  expect(text).toMatch(/"doctor", "--live"\]\nENTRYPOINT .*\nCMD \["serve"\]/);
  const doctor = COMMANDS.find(({ name }) => name === "doctor");
  expect(doctor?.options?.map(({ flags }) => flags)).toContain("--live");
  const own = [...text.matchAll(/\b(YAGATE_\w+)=/g)].map(([, name = ""]) => name);
  expect(own.filter((name) => !isKnownVariable(name))).toEqual([]);
});

it("the image contains neither secrets nor what Git ignores", () => {
  const ignored = read(".dockerignore").trim().split("\n");
  const { folders } = {
    folders: read(".gitignore")
      .trim()
      .split("\n")
      .map((line) => line.replace(/\/$/, "")),
  };
  for (const name of folders)
    expect(
      ignored.some((line) => line.replace("**/", "") === name),
      name,
    ).toBe(true);
  expect(ignored).toContain("examples/deployment/secrets");
});

it("the systemd unit has only variables of the gateway, each with a credential of its own", () => {
  const text = readExample("yagate.service");
  const variables = [...text.matchAll(/\b(YAGATE_\w+|DATABASE_URL\w*)=(\S+)/g)];
  expect(variables.map(([, name = ""]) => name).filter((name) => !isKnownVariable(name))).toEqual([]);
  const loaded = [...text.matchAll(/^LoadCredential=(\w+):\S+$/gm)].map(([, name]) => name);
  expect(variables.flatMap(([, , value = ""]) => (value.startsWith("%d/") ? [value.slice(3)] : []))).toEqual(loaded);
});

const hasSystemd = existsSync("/usr/bin/systemd-analyze");

it.skipIf(!hasSystemd)("the systemd unit is rated 1.5 or better", () => {
  const report = execFileSync("systemd-analyze", [
    "security",
    "--offline=true",
    "--no-pager",
    join(FOLDER, "yagate.service"),
  ]);
  const [, exposure = "10"] = /exposure level for yagate\.service: (\d+\.\d+)/.exec(`${report}`) ?? [];
  expect(Number(exposure)).toBeLessThanOrEqual(1.5);
  expect(read("docs/deployment.md")).toContain(`rates its exposure at ${exposure}`);
});

it("the braces of the proxies' configurations match, and both keep streams out of buffers", () => {
  for (const [name, stream] of [
    ["Caddyfile", "flush_interval -1"],
    ["nginx.conf", "proxy_buffering    off;"],
  ] as const) {
    const text = readExample(name)
      .replaceAll(/#.*$/gm, "")
      .replaceAll(/\{\$[^}]*\}/g, "");
    expect(text.split("{").length, name).toBe(text.split("}").length);
    expect(text, name).toContain(stream);
    expect(text, name).toMatch(/metrics/);
  }
});

it.skipIf(process.getuid?.() !== 0)("create-secrets.sh creates secrets with which a gateway starts, once", () => {
  const folder = mkdtempSync(join(tmpdir(), "yagate-deployment-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(FOLDER, "create-secrets.sh"), join(folder, "create-secrets.sh"));
  const run = () => execFileSync("sh", [join(folder, "create-secrets.sh")]);
  run();
  const secrets = join(folder, "secrets");
  const contents = () => readdirSync(secrets).map((name) => [name, readFileSync(join(secrets, name), "utf8")]);
  const before = contents();
  run();
  expect(contents()).toEqual(before);
  const used = gatewayFiles.flatMap((file) => Object.keys(composeSchema.parse(readYaml(file)).secrets));
  expect(readdirSync(secrets).toSorted()).toEqual([...new Set(used)].toSorted());
  for (const name of readdirSync(secrets)) expect(statSync(join(secrets, name)).mode & 0o777, name).toBe(0o400);
  const environment = Object.fromEntries(
    ["API_KEY", "MASTER_KEYS", "SIGNING_SECRET"].map((name) => [
      `YAGATE_${name}_FILE`,
      join(secrets, name.toLowerCase()),
    ]),
  );
  const config = configFromEnvironment(
    { ...environment, DATABASE_URL_FILE: join(secrets, "database_url") },
    { required: ["YAGATE_API_KEY", "YAGATE_MASTER_KEYS"], requiresStrongKeys: true },
  );
  expect(config.databaseUrl).toBe(
    `postgres://yagate:${readFileSync(join(secrets, "postgres_password"), "utf8").trim()}@postgres:5432/yagate`,
  );
});

it.each(["od", "base64"])("create-secrets.sh fails without %s, and leaves no secret that is empty", (missing) => {
  const folder = mkdtempSync(join(tmpdir(), "yagate-deployment-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(FOLDER, "create-secrets.sh"), join(folder, "create-secrets.sh"));
  const programs = join(folder, "bin");
  mkdirSync(programs);
  writeFileSync(join(programs, missing), "#!/bin/sh\nexit 127\n", { mode: 0o755 });
  const env = { ...process.env, PATH: [programs, process.env["PATH"]].join(delimiter) };
  expect(() => execFileSync("sh", [join(folder, "create-secrets.sh")], { env, stdio: "pipe" })).toThrow();
  expect(readdirSync(join(folder, "secrets"))).toEqual([]);
});

it("the proxies hide the operator's routes in every form that the gateway accepts", () => {
  const [, nginx = ""] = /location ~\* (\S+) \{\n\s+return 404/.exec(readExample("nginx.conf")) ?? [];
  const [, caddy = ""] = /@internal path_regexp \(\?i\)(\S+)\n/.exec(readExample("Caddyfile")) ?? [];
  const paths = ["/metrics", "/Metrics", "/readyz/", "/HEALTHZ"];
  for (const pattern of [nginx, caddy]) {
    expect(paths.filter((path) => !new RegExp(pattern, "i").test(path))).toEqual([]);
    expect(new RegExp(pattern, "i").test("/v1/metrics/series")).toBe(false);
  }
});

it("the alerts are those of the page about telemetry", () => {
  const { groups } = z
    .object({
      groups: z.array(z.object({ rules: z.array(z.looseObject({ expr: z.string(), for: z.string().optional() })) })),
    })
    .parse(readYaml("alerts.yml"));
  const rules = groups.flatMap((group) => group.rules);
  const rows = tableRows("docs/telemetry.md", ["when", "expression and duration", "why"]);
  expect(rules.map((rule) => rule["annotations"])).toMatchObject(rows.map(({ when }) => ({ summary: when })));
  const stated = rows.map(({ "expression and duration": cell = "" }) => {
    const [, expression = "", count, unit] = /^`?(.+?)`?(?:, (\d+) (m|h))?$/.exec(cell) ?? [];
    return [expression.replaceAll("\\|", "|"), count === undefined ? undefined : `${count}${unit}`];
  });
  expect(rules.map((rule) => [rule.expr, rule.for])).toEqual(stated);
});

it("the dashboard has only metrics of the gateway", () => {
  const known = new Set(read("docs", "telemetry-reference.md").match(/yagate_[a-z_]+/g));
  const used = readExample("grafana/dashboard.json").match(/yagate_[a-z_]+/g) ?? [];
  expect(used.length).toBeGreaterThan(5);
  expect(used.map((name) => name.replace(/_bucket$/, "")).filter((name) => !known.has(name))).toEqual([]);
  const { uid } = z
    .object({ datasources: z.tuple([z.object({ uid: z.string() })]) })
    .parse(readYaml("grafana/datasource.yaml")).datasources[0];
  const { panels } = z
    .object({ panels: z.array(z.object({ datasource: z.object({ uid: z.string() }) })) })
    .parse(JSON.parse(readExample("grafana/dashboard.json")));
  expect(new Set(panels.map(({ datasource }) => datasource.uid))).toEqual(new Set([uid]));
});

it("the README of the folder lists every file", () => {
  const readme = readExample("README.md");
  const names = globSync("*", { cwd: FOLDER }).filter((name) => name !== "README.md" && name !== "secrets");
  expect(names.filter((name) => !new RegExp(`\\(${name}[/)]`).test(readme))).toEqual([]);
});
