import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { Principal } from "../../../secrets/src/principal.ts";
import { ActiveRequests } from "../../src/http/requests/active-requests.ts";

const of = (keyId: string | null): Principal => ({ workspaceId: "ws_1", keyId, scopes: new Set() });

function openTwo() {
  const open = new ActiveRequests();
  const [first, second] = [new AbortController(), new AbortController()];
  open.add(first);
  open.add(second);
  const ended = () => [first.signal.aborted, second.signal.aborted];
  return { open, first, second, ended };
}

describe("a key that is deleted", () => {
  it("ends its own requests", () => {
    const { open, first, second, ended } = openTwo();
    open.admit(first, of("key_1"));
    open.admit(second, of("key_2"));
    open.endOf("key_1");
    expect(ended()).toEqual([true, false]);
  });

  it("ends a request whose key was being looked up meanwhile", () => {
    const { open, first, second, ended } = openTwo();
    open.endOf("key_1");
    open.admit(first, of("key_1"));
    open.admit(second, of("key_2"));
    expect(ended()).toEqual([true, false]);
  });

  it("leaves alone what the bootstrap key opened, and what is over", () => {
    const { open, first, second, ended } = openTwo();
    open.admit(first, of(null));
    open.admit(second, of("key_1"));
    open.delete(second);
    open.endOf("key_1");
    expect(ended()).toEqual([false, false]);
  });
});

describe("an access token", () => {
  const subject = of("oidc:https://login.example.com:alice");

  it("is not looked up again among the API keys, which would end its requests", () => {
    const { open, first, second } = openTwo();
    open.admit(first, subject, "an access token");
    open.admit(second, of("key_1"), "yk_1");
    expect([...open.credentials()]).toEqual(["yk_1"]);
  });

  it("ends its requests when it expires", async () => {
    const { open, first, second, ended } = openTwo();
    open.admit(first, { ...subject, expiresAt: Date.now() + 20 });
    open.admit(second, { ...subject, expiresAt: Date.now() + 60_000 });
    await once(first.signal, "abort");
    expect(ended()).toEqual([true, false]);
    open.delete(second);
  });
});
