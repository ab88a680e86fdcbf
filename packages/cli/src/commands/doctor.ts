import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const doctor: CommandSpec = {
  name: "doctor",
  summary: "Check whether a gateway can run here: configuration, data, database, port, clock and providers",
  group: GROUPS.gateway,
  options: [
    { flags: "--live", text: "check only whether the gateway on this machine responds, and print nothing if it does" },
    { flags: "--offline", text: "send nothing to model providers" },
  ],
  examples: ["yagate doctor", "yagate doctor --offline --json", "yagate doctor --live"],
  notes: [
    "The command reads the same variables as yagate serve, changes nothing and prints no secret. With --quiet, it prints only failed checks.",
    "For each provider with a key, it requests the list of models, which costs nothing.",
    "--live is for the health checks of containers: it requests only /healthz, so no container is restarted because the database is down. YAGATE_HOST and YAGATE_PORT state where the gateway listens.",
  ],
  statuses: {
    0: "No check failed; with --live, the gateway responds.",
    1: "A check failed; with --live, the gateway does not respond.",
  },
  page: "operations",
  output: { schema: "Diagnosis" },
  keepsTimeout: true,
  run: async ({ open, options }) =>
    options["live"] === true
      ? (await import("../doctor/live.ts")).live(await open())
      : (await import("../doctor/doctor.ts")).doctor(await open(), options),
};
