import { describe, expect, it } from "vitest";
import { resolveFolder } from "./folder.ts";

const from = { environment: {}, home: "/home/ines", cwd: "/desk" };

describe("resolveFolder", () => {
  it("takes the flag, else DOTAIOS_PATH, else ~/aios", () => {
    const environment = { DOTAIOS_PATH: "/srv/notes" };
    expect(resolveFolder("/flag", { ...from, environment })).toBe("/flag");
    expect(resolveFolder(undefined, { ...from, environment })).toBe("/srv/notes");
    expect(resolveFolder(undefined, from)).toBe("/home/ines/aios");
    expect(resolveFolder(undefined, { ...from, environment: { DOTAIOS_PATH: "" } })).toBe(
      "/home/ines/aios",
    );
  });

  it("expands a leading ~ alone, and makes the rest absolute", () => {
    expect(resolveFolder("~", from)).toBe("/home/ines");
    expect(resolveFolder("~/notes", from)).toBe("/home/ines/notes");
    expect(resolveFolder("~ines/notes", from)).toBe("/desk/~ines/notes");
    expect(resolveFolder("notes/../aios", from)).toBe("/desk/aios");
  });
});
