import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AllowedCwd } from "../auth/cwd.ts";
import { createTickets } from "./tickets.ts";

const KEY = randomBytes(32);
const start = (key = KEY) => createTickets({ key, randomBytes });
const folder = (path: string) => ({ path }) as AllowedCwd;
const bound = { caller: { credential: "alice" }, cwd: folder("/a"), version: "2025-06-18" };

describe("createTickets", () => {
  it("[G9] knows an id of an earlier start, for the same credential, revision and folder alone", () => {
    const id = start().issue(bound);
    const later = start();
    expect(later.isEarlier(id, bound)).toBe(true);
    expect(later.isEarlier(id, { ...bound, caller: { credential: "bob" } })).toBe(false);
    expect(later.isEarlier(id, { ...bound, cwd: folder("/b") })).toBe(false);
    expect(later.isEarlier(id, { ...bound, cwd: undefined })).toBe(false);
    expect(later.isEarlier(id, { ...bound, version: "2025-11-25" })).toBe(false);
    expect(start(randomBytes(32)).isEarlier(id, bound)).toBe(false);
  });

  it("[G9] never takes an id of its own start for an earlier one, and issues none twice", () => {
    const tickets = start();
    const ids = Array.from({ length: 100 }, () => tickets.issue(bound));
    expect(new Set(ids).size).toBe(100);
    expect(ids.some((id) => tickets.isEarlier(id, bound))).toBe(false);
  });

  it("[G9] takes nothing that differs in any character for an id", () => {
    const id = start().issue(bound);
    const later = start();
    fc.assert(
      fc.property(fc.nat(id.length - 1), fc.string({ maxLength: 2 }), (at, other) => {
        const forged = id.slice(0, at) + other + id.slice(at + 1);
        return forged === id || !later.isEarlier(forged, bound);
      }),
    );
    for (const forged of ["", id.slice(1), `${id}A`, `${id}=`, ` ${id}`])
      expect(later.isEarlier(forged, bound)).toBe(false);
  });
});
