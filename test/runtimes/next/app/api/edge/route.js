import { createSuiteHandler } from "../../../../../../packages/handler/test/adapters/suite-handler.ts";

export const runtime = "edge";

const handler = createSuiteHandler();

export { handler as GET, handler as HEAD, handler as POST, handler as PUT };
