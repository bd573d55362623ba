import { expect, it } from "vitest";
import { findOpenBinds } from "./bind.ts";

it("[G5] finds binds beyond loopback without a token, unless the file insists", () => {
  const rules = {
    listen: [
      { host: "127.0.0.1", port: 1 },
      { host: "0.0.0.0", port: 2 },
      { host: "::", port: 3 },
      { host: "gateway.example", port: 4 },
    ],
    tokenFile: undefined,
    insecureNoAuth: false,
  };
  expect(findOpenBinds(rules)).toEqual(["0.0.0.0:2", "[::]:3", "gateway.example:4"]);
  expect(findOpenBinds({ ...rules, tokenFile: "/token" })).toEqual([]);
  expect(findOpenBinds({ ...rules, insecureNoAuth: true })).toEqual([]);
});
