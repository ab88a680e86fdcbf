import type { GatewayConfig } from "../gateway/src/config/gateway-config.ts";
import { openBenchGateway } from "./bench-gateway.ts";
import { type Load, measureFor } from "./measure-for.ts";

/** What a gateway that is measured has to know. */
export interface GatewayTask {
  readonly config: GatewayConfig;
  readonly url: string;
  readonly load: Load;
}

const [text = ""] = process.argv.slice(2);
const { config, url, load }: GatewayTask = JSON.parse(text);
const gateway = await openBenchGateway(config, url);
process.send?.(
  await measureFor(async () => {
    await gateway.execute();
  }, load),
);
await gateway.close();
process.disconnect();
