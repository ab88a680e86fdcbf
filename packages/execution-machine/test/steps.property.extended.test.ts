import fc from "fast-check";
import { expect, it } from "vitest";
import { MachineHistory } from "./support/history.ts";
import { scene } from "./support/moves.ts";

const HISTORIES = 20_000;

it("in 20,000 histories, the state after every step is the fold of its events, and no step changes an earlier state", {
  timeout: 300_000,
}, () => {
  fc.assert(
    fc.property(scene, (one) => {
      const history = new MachineHistory(one).play(one.moves);
      history.drain();
      expect(history.breaches).toEqual([]);
    }),
    { numRuns: HISTORIES },
  );
});
