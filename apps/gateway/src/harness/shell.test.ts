import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportFile, quoteCommand } from "./shell.ts";

describe("quoteCommand", () => {
  it("[G23] leaves plain words, and puts others in quotes", () => {
    const words = ["docker", "--mount", "type=bind,source=/a", "it's", "", "$HOME"];
    expect(quoteCommand(words, "linux")).toBe(
      "docker --mount 'type=bind,source=/a' 'it'\\''s' '' '$HOME'",
    );
    expect(quoteCommand(["it's", "a,b"], "win32")).toBe("'it''s' 'a,b'");
  });

  it.skipIf(process.platform === "win32")("[G23] is read back word by word by a shell", () => {
    const word = fc.string({ unit: "binary" }).filter((text) => !text.includes("\0"));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
        const { stdout } = spawnSync("sh", [
          "-c",
          `printf '%s\\0' ${quoteCommand(words, "linux")}`,
        ]);
        expect(stdout.toString()).toBe(words.map((text) => `${text}\0`).join(""));
      }),
      { numRuns: 40 },
    );
  });
});

it("[G23] reads a file into a variable in each shell's own way", () => {
  expect(exportFile("T", "/a b", "darwin")).toBe(`export T="$(cat '/a b')"`);
  expect(exportFile("T", "C:\\a", "win32")).toBe("$env:T = Get-Content 'C:\\a'");
});
