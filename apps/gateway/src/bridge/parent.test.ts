import { expect, it } from "vitest";
import { hasGone } from "./parent.ts";

const refusing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};
const parent = { pid: 7, now: () => 7, kill: () => true };

it("[G24] knows an orphan by its new parent", () => {
  const unasked = { ...parent, kill: refusing("ESRCH") };
  for (const platform of ["linux", "darwin"] as const) {
    expect(hasGone(unasked, platform)).toBe(false);
    expect(hasGone({ ...unasked, now: () => 1 }, platform)).toBe(true);
  }
});

it("[G24] knows an orphan on Windows by its parent's number, which stands for nobody", () => {
  expect(hasGone(parent, "win32")).toBe(false);
  expect(hasGone({ ...parent, kill: refusing("EPERM") }, "win32")).toBe(false);
  expect(hasGone({ ...parent, kill: refusing("ESRCH") }, "win32")).toBe(true);
});
