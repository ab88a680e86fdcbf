import { createSuiteHandler } from "../../../../../../packages/handler/test/adapters/suite-handler.ts";

const handler = createSuiteHandler();

export { handler as GET, handler as HEAD, handler as POST, handler as PUT };
