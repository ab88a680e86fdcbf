import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputSchemaText } from "./cli/output-schema.ts";
import { referencePage } from "./cli/reference-page.ts";
import { repositoryRoot } from "./repository-root.ts";

// Run as `NODE_OPTIONS=--conditions=@yagate/source npx node scripts/write-cli-pages.ts`; a test fails when that is
// necessary.
writeFileSync(join(repositoryRoot, "docs", "cli-reference.md"), referencePage());
writeFileSync(join(repositoryRoot, "packages", "cli", "schemas", "output.json"), outputSchemaText());
