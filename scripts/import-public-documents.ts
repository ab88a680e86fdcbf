import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { openApiReader } from "@yagate/tool-definitions/openapi/import-openapi";
import { OPENAPI_LIMITS, type OpenApiDraft } from "@yagate/tool-definitions/openapi/openapi-import";
import { readDocumentSet } from "../packages/cli/src/tools/read-document-set.ts";

/**
 * Imports public OpenAPI documents of many styles, and prints the result for each. It fails if an operation is neither a
 * draft nor skipped with a reason, or if a draft is empty. Run it as
 * `NODE_OPTIONS=--conditions=@yagate/source npx node scripts/import-public-documents.ts <folder>`. It downloads documents
 * that the folder lacks. They belong to third parties, under the licences listed here, and are not in this repository.
 */
const DOCUMENTS: readonly (readonly [file: string, repository: string, path: string, licence: string])[] = [
  ["adyen-management.json", "Adyen/adyen-openapi/main", "json/ManagementService-v3.json", "MIT"],
  [
    "airbyte-config.yaml",
    "airbytehq/airbyte-platform/main",
    "airbyte-api/server-api/src/main/openapi/config.yaml",
    "ELv2",
  ],
  ["asana.yaml", "Asana/openapi/master", "defs/asana_oas.yaml", "none named"],
  ["box.json", "box/box-openapi/main", "openapi.json", "Apache-2.0"],
  [
    "datadog-v1.yaml",
    "DataDog/datadog-api-client-typescript/master",
    ".generator/schemas/v1/openapi.yaml",
    "Apache-2.0",
  ],
  ["digitalocean/specification/DigitalOcean-public.v2.yaml", "digitalocean/openapi", "", "Apache-2.0"],
  ["discord.json", "discord/discord-api-spec/main", "specs/openapi.json", "MIT"],
  ["figma.yaml", "figma/rest-api-spec/main", "openapi/openapi.yaml", "MIT"],
  ["intercom.yaml", "intercom/Intercom-OpenAPI/main", "descriptions/2.15/api.intercom.io.yaml", "MIT"],
  ["kratos.yaml", "ory/sdk/master", "clients/kratos/go/api/openapi.yaml", "Apache-2.0"],
  ["museum.yaml", "Redocly/museum-openapi-example/main", "openapi.yaml", "MIT"],
  ["notion.json", "makenotion/notion-mcp-server/main", "scripts/notion-openapi.json", "MIT"],
  ["openai.yaml", "openai/openai-openapi/main", "openapi.yaml", "MIT"],
  ["pagerduty.json", "PagerDuty/api-schema/main", "reference/REST/openapiv3.json", "none named"],
  ["paypal-orders.json", "paypal/paypal-rest-api-specifications/main", "openapi/checkout_orders_v2.json", "Apache-2.0"],
  ["petstore.yaml", "swagger-api/swagger-petstore/master", "src/main/resources/openapi.yaml", "Apache-2.0"],
  ["plaid.yaml", "plaid/plaid-openapi/master", "2020-09-14.yml", "none named"],
  ["qdrant.json", "qdrant/qdrant/master", "docs/redoc/master/openapi.json", "Apache-2.0"],
  ["spotify.yaml", "sonallux/spotify-web-api/main", "fixed-spotify-open-api.yml", "MIT"],
  ["train-travel.yaml", "bump-sh-examples/train-travel-api/main", "openapi.yaml", "CC-BY-NC-SA-4.0"],
  ["twilio.json", "twilio/twilio-oai/main", "spec/json/twilio_api_v2010.json", "MIT"],
  ["xero-accounting.yaml", "XeroAPI/Xero-OpenAPI/master", "xero_accounting.yaml", "MIT"],
  ["xero-files.yaml", "XeroAPI/Xero-OpenAPI/master", "xero_files.yaml", "MIT"],
];

const run = promisify(execFile);

/** @param path - empty if the document consists of many files, so that the complete repository is needed. */
async function download(target: string, repository: string, path: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  if (path === "") {
    const folder = dirname(dirname(target));
    await run("git", ["clone", "--depth", "1", `https://github.com/${repository}`, folder]);
    return;
  }
  const response = await fetch(`https://raw.githubusercontent.com/${repository}/${path}`);
  if (!response.ok) throw new Error(`expected ${repository}/${path} to be there: HTTP ${response.status}`);
  await writeFile(target, await response.text());
}

/** Checks for a draft that has no description and no parameters, but would change something. */
function isHollow({ operation, definition }: OpenApiDraft): boolean {
  const { description, parameters, method } = definition;
  return description === operation && parameters.length === 0 && method !== "GET";
}

async function importAll(file: string) {
  const { openapi, ...rest } = await readDocumentSet(file);
  const options = { ...rest, server: "https://api.example.com" };
  const { operations, skipped: unreadable } = await openApiReader.list(openapi, options);
  const names = operations.map(({ operation }) => operation);
  const reasons: string[] = unreadable.map(({ reason }) => reason);
  let drafts = 0;
  let hollow = 0;
  for (let at = 0; at < names.length; at += OPENAPI_LIMITS.maxOperations) {
    const chosen = names.slice(at, at + OPENAPI_LIMITS.maxOperations);
    const imported = await openApiReader.import(openapi, { ...options, operations: chosen });
    drafts += imported.drafts.length;
    hollow += imported.drafts.filter(isHollow).length;
    reasons.push(...imported.skipped.filter((one) => chosen.includes(one.operation)).map(({ reason }) => reason));
  }
  return { operations: names.length + unreadable.length, drafts, hollow, reasons };
}

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${count} × ${reason}`).join("; ");
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("expected a folder for the documents");
for (const [file, repository, path] of DOCUMENTS) {
  const target = join(folder, file);
  if (!existsSync(target)) await download(target, repository, path);
  const { operations, drafts, hollow, reasons } = await importAll(target);
  console.log(`| ${file} | ${operations} | ${drafts} | ${hollow} | ${counted(reasons)} |`);
  if (hollow > 0 || drafts + reasons.length !== operations) process.exitCode = 1;
}
