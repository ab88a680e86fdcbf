import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLease, LEASE_MS, type Lease, LeaseLapsedError, RENEW_EVERY_MS } from "../../src/scheduler/lease.ts";

const NOW = Date.parse("2026-11-21T06:00:00.000Z");

class LeaseWorld {
  monotonicMs = 500;
  now = NOW;
  readonly errors: unknown[] = [];
  readonly renewals: number[] = [];
  renew: () => Promise<void> = async () => {};
  readonly lease: Lease = createLease({
    owner: "owner",
    renew: async (leaseUntil) => {
      this.renewals.push(leaseUntil);
      await this.renew();
    },
    onError: (error) => this.errors.push(error),
    now: () => this.now,
    monotonicNow: () => this.monotonicMs,
  });

  /** For one who saw its ownership in this term. */
  assertHeld(term = this.lease.term): void {
    this.lease.assertHeld(term);
  }

  pass(ms: number): void {
    this.monotonicMs += ms;
    this.now += ms;
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a lease", () => {
  it("is not held before it was taken", () => {
    expect(() => new LeaseWorld().assertHeld()).toThrow(LeaseLapsedError);
  });

  it("is held for ten seconds from before its request", async () => {
    const world = new LeaseWorld();
    // The store took this long to respond.
    world.renew = async () => world.pass(400);
    await world.lease.start();
    expect(world.renewals).toEqual([NOW + LEASE_MS]);
    world.pass(LEASE_MS - 401);
    expect(world.assertHeld()).toBeUndefined();
    expect(world.lease.leaseUntil()).toBe(world.now + 1);
    world.pass(1);
    expect(() => world.assertHeld()).toThrow(LeaseLapsedError);
    expect(world.lease.leaseUntil()).toBe(world.now);
    world.lease.stop();
  });

  it("is measured on a clock that a change of the date does not move", async () => {
    const world = new LeaseWorld();
    await world.lease.start();
    world.now -= 86_400_000;
    world.monotonicMs += LEASE_MS;
    expect(() => world.assertHeld()).toThrow(LeaseLapsedError);
    world.lease.stop();
  });

  it("is renewed every three seconds until it is stopped", async () => {
    const world = new LeaseWorld();
    await world.lease.start();
    for (let round = 0; round < 4; round += 1) {
      world.pass(RENEW_EVERY_MS);
      await vi.advanceTimersByTimeAsync(RENEW_EVERY_MS);
    }
    expect(world.renewals).toHaveLength(5);
    expect(world.assertHeld()).toBeUndefined();
    world.lease.stop();
    await vi.advanceTimersByTimeAsync(10 * RENEW_EVERY_MS);
    expect(world.renewals).toHaveLength(5);
  });

  it("lapses if it can't be renewed, reports that, and is held again once it can", async () => {
    const world = new LeaseWorld();
    await world.lease.start();
    const refusal = new Error("the disk is full");
    world.renew = () => Promise.reject(refusal);
    world.pass(LEASE_MS);
    await vi.advanceTimersByTimeAsync(RENEW_EVERY_MS);
    expect(world.errors).toEqual([refusal]);
    await expect(world.lease.held()).rejects.toBe(refusal);
    world.renew = async () => {};
    await world.lease.held();
    expect(world.assertHeld()).toBeUndefined();
    world.lease.stop();
  });

  it("is not held, after it was taken again, for executions from before it lapsed", async () => {
    const world = new LeaseWorld();
    await world.lease.start();
    const { term } = world.lease;
    world.pass(RENEW_EVERY_MS);
    await vi.advanceTimersByTimeAsync(RENEW_EVERY_MS);
    expect(world.assertHeld(term)).toBeUndefined();
    world.pass(LEASE_MS);
    await world.lease.held();
    expect(() => world.assertHeld(term)).toThrow(LeaseLapsedError);
    expect(world.lease.term).toBe(term + 1);
    expect(world.assertHeld()).toBeUndefined();
    world.lease.stop();
  });

  it("is requested once, however many callers wait for it", async () => {
    const world = new LeaseWorld();
    await Promise.all([world.lease.held(), world.lease.held(), world.lease.held()]);
    await world.lease.held();
    expect(world.renewals).toHaveLength(1);
  });

  it("does not count a renewal that took longer than it holds", async () => {
    const world = new LeaseWorld();
    let slowOnes = 1;
    world.renew = async () => {
      if (slowOnes-- > 0) world.pass(LEASE_MS);
    };
    await world.lease.held();
    expect(world.renewals).toHaveLength(2);
  });
});
