import { describe, expect, it } from "vitest";
import { createHostCheck } from "./host.ts";

const rules = { allowedHosts: ["Gateway.example"], machineAddresses: ["192.0.2.7", "fe80::1"] };
const loopback = createHostCheck({ ...rules, listen: [{ host: "127.0.0.1", port: 8717 }] });
const wildcard = createHostCheck({ ...rules, listen: [{ host: "0.0.0.0", port: 8717 }] });

describe("createHostCheck", () => {
  it.each([
    "localhost",
    "LocalHost:1",
    "127.0.0.1:8717",
    "127.8.8.8",
    "[::1]",
    "[::1]:9",
    "host.docker.internal:8717",
    "host.containers.internal",
    "gateway.example:443",
  ])("[G6] lets %s pass with any port", (host) => {
    expect(loopback(host)).toBe(true);
  });

  it.each([
    undefined,
    "",
    "evil.example",
    "evil.example:8717",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "localhost@evil.example",
    "evil.example#localhost",
    "127.0.0.1:8717:1",
    "192.0.2.7",
    "0.0.0.0",
  ])("[G6] refuses %j on loopback", (host) => {
    expect(loopback(host)).toBe(false);
  });

  it("[G6] adds the machine's own addresses for a wildcard listener, and the listen address for any", () => {
    expect(wildcard("192.0.2.7:8717")).toBe(true);
    expect(wildcard("[fe80::1]:8717")).toBe(true);
    expect(wildcard("evil.example")).toBe(false);
    expect(createHostCheck({ ...rules, listen: [{ host: "10.0.0.1", port: 1 }] })("10.0.0.1")).toBe(
      true,
    );
  });
});
