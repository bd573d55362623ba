import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindMount, readMount } from "./mount.ts";

const same = (field: string) => field;

describe("bindMount", () => {
  it.each([
    ["/a b/c:d", "type=bind,source=/a b/c:d,target=/t,readonly"],
    ["/a,b", 'type=bind,"source=/a,b",target=/t,readonly'],
    ['/a"b', 'type=bind,"source=/a""b",target=/t,readonly'],
  ])("[G23] names a folder called %s", (source, text) => {
    expect(bindMount(source, "/t", "readonly")).toEqual({ target: "/t", text });
  });
});

describe("readMount", () => {
  it("[G23] reads back what bindMount writes", () => {
    const path = fc.string({ unit: "grapheme" }).map((text) => `/${text.replaceAll("/", "")}x`);
    fc.assert(
      fc.property(path, path, (source, target) => {
        const mount = bindMount(source, target);
        expect(readMount(mount.text, same)).toEqual(mount);
      }),
    );
  });

  it.each(["target=/a", "dst=/a", "destination=/a/", "Target=/b/../a"])(
    "[G23] finds the path that %s takes",
    (field) => {
      expect(readMount(`type=volume,source=c,${field}`, same)?.target).toBe("/a");
    },
  );

  it("[G23] expands each field by itself, so that a comma in a path adds none", () => {
    const expand = (field: string) => field.replace("HERE", "/a,target=/b");
    expect(readMount("type=bind,source=HERE,target=/c", expand)).toEqual({
      target: "/c",
      text: 'type=bind,"source=/a,target=/b",target=/c',
    });
  });

  it.each(["", "type=volume", "type=bind,source=/a,target=", "target=a", "/a:/b"])(
    "[G23] takes %j for no mount",
    (text) => {
      expect(readMount(text, same)).toBeUndefined();
    },
  );
});
