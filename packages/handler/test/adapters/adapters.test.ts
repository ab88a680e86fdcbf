import { describeAdapter } from "./adapter-suite.ts";
import { adapters } from "./adapters.ts";
import { createSuiteHandler } from "./suite-handler.ts";

for (const { name, leavingUnseen, mount } of adapters) {
  describeAdapter({ name, leavingUnseen, mount: () => mount(createSuiteHandler()) });
}
