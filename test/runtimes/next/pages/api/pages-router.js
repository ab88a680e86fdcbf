import { toNodeListener } from "@yagate/handler/node";
import { createSuiteHandler } from "../../../../../packages/handler/test/adapters/suite-handler.ts";

export const config = { api: { bodyParser: false, externalResolver: true } };

// biome-ignore lint/style/noDefaultExport: this is where Next.js looks for it
export default toNodeListener(createSuiteHandler());
