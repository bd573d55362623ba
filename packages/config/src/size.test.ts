import { describe, expect, it } from "vitest";
import { parseSize, sizeSchema } from "./size.ts";

describe("parseSize", () => {
  it.each([
    ["4MiB", 4_194_304],
    ["64KiB", 65_536],
    ["1GiB", 1_073_741_824],
    ["512B", 512],
    ["512", 512],
    ["0", 0],
    [0, 0],
    [512, 512],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])("[C3] reads %j as %d bytes", (size, bytes) => {
    expect(parseSize(size)).toBe(bytes);
    expect(sizeSchema.parse(size)).toBe(bytes);
  });

  it.each([
    "",
    "4MB",
    "4K",
    "1.5MiB",
    "-1",
    "4 MiB",
    "4mib",
    "MiB",
    "0x10",
    -1,
    1.5,
    Number.NaN,
    1e21,
  ])("[C3] refuses %j", (size) => {
    expect(() => parseSize(size, { file: "f", field: "s" })).toThrow(
      "f s: must be a size such as 64KiB, 4MiB, 1GiB or a plain number of bytes",
    );
    expect(sizeSchema.safeParse(size).success).toBe(false);
  });

  it("[C3] refuses what a number does not hold exactly, at the edge", () => {
    expect(parseSize("8388607GiB")).toBe(8_388_607 * 1_024 ** 3);
    expect(() => parseSize("8388608GiB")).toThrow("must be a size that a number holds exactly");
    expect(parseSize("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => parseSize("9007199254740992")).toThrow("holds exactly");
    expect(sizeSchema.safeParse("8388608GiB").success).toBe(false);
  });
});
