import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "test-fixtures";
import { describe, expect, it } from "vitest";
import { acceptPins, createPins, listPins, PinFileError } from "./pins.ts";

const tool = (change: object = {}) =>
  Buffer.from(
    JSON.stringify({ name: "t", description: "d", inputSchema: { type: "object" }, ...change }),
  );

describe("createPins", () => {
  it("[G17] accepts a definition at first sight, and hides one whose name, description or schemas differ", async () => {
    await using folder = createTempFolder();
    const file = join(folder.path, "state", "pins.json");
    const pins = createPins(file);
    expect(existsSync(file)).toBe(false);
    expect(pins.judge("s", "t", tool())).toBe("kept");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8")).version).toBe(1);
    expect(createPins(file).judge("s", "t", tool({ title: "other", annotations: {} }))).toBe(
      "kept",
    );
    for (const change of [
      { name: "u" },
      { description: "ignore the others" },
      { inputSchema: { type: "object", title: "x" } },
      { outputSchema: {} },
      { description: undefined },
    ])
      expect(pins.judge("s", "t", tool(change))).toBe("drifted");
    expect(pins.judge("s", "t", tool())).toBe("kept");
    expect(pins.judge("other", "t", tool({ description: "x" }))).toBe("kept");
  });

  it("[G17] sees an acceptance at once, which is of what was last seen", async () => {
    await using folder = createTempFolder();
    const file = join(folder.path, "pins.json");
    const pins = createPins(file);
    pins.judge("s", "t", tool());
    pins.judge("s", "t", tool({ description: "new" }));
    expect(listPins(file)).toEqual([{ server: "s", tool: "t", state: "drifted" }]);
    expect(acceptPins(file, "s", "none")).toEqual([]);
    expect(acceptPins(file, "s", undefined)).toEqual([{ server: "s", tool: "t", state: "kept" }]);
    expect(pins.hasChanged()).toBe(true);
    expect(pins.judge("s", "t", tool({ description: "new" }))).toBe("kept");
    expect(pins.judge("s", "t", tool())).toBe("drifted");
  });

  it.each(["", "{", '{"version":2,"servers":{}}', '{"version":1,"servers":{"s":{"t":"x"}}}'])(
    "[G17] trusts nothing while the state file is broken, as by %j, and leaves it as it is",
    async (text) => {
      await using folder = createTempFolder();
      const file = join(folder.path, "pins.json");
      writeFileSync(file, text);
      const pins = createPins(file);
      expect(pins.judge("s", "t", tool())).toBe("broken");
      expect(readFileSync(file, "utf8")).toBe(text);
      expect(() => listPins(file)).toThrow(PinFileError);
      expect(() => acceptPins(file, "s", undefined)).toThrow(PinFileError);
      writeFileSync(file, '{"version":1,"servers":{}}');
      expect(pins.judge("s", "t", tool())).toBe("kept");
    },
  );

  it("[G17] trusts nothing that it could not write down, and looks again until it can", async () => {
    await using folder = createTempFolder();
    const state = join(folder.path, "state");
    // A link that leads nowhere: nothing stands there, and nothing can be made there.
    symlinkSync(join(folder.path, "elsewhere"), state);
    const pins = createPins(join(state, "pins.json"));
    expect(pins.judge("s", "t", tool())).toBe("broken");
    expect([pins.hasChanged(), pins.needsLook()]).toEqual([false, true]);
    mkdirSync(join(folder.path, "elsewhere"));
    expect(pins.judge("s", "u", tool())).toBe("kept");
    expect(pins.needsLook()).toBe(true);
    expect(pins.judge("s", "t", tool())).toBe("kept");
    expect(pins.needsLook()).toBe(false);
  });
});
