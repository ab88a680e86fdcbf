import { configFromEnvironment } from "../../../src/config/environment.ts";
import { createGateway } from "../../../src/gateway.ts";

// A process of its own, so that whatever any room writes anywhere can be read.
const gateway = createGateway(configFromEnvironment(process.env));
const { url } = await gateway.start();
process.send?.(url);
process.once("disconnect", () => gateway.stop());
